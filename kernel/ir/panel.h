/* Panels of matrix products. */
#ifndef TSR_PANEL_H
#define TSR_PANEL_H

/** Products are summed in panels of this many along k, each of which is added to the last, by one
 * task or by several. */
#define TSR_MATMUL_PANEL 512

#endif
