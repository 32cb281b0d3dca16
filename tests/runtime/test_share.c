/* Which devices of a node each rank has. */
#include "runtime/device/device.h"

#include <criterion/criterion.h>
#include <stdio.h>

static tsr_device_share share_of(const char *devices, int n_asked, int rank, int size)
{
  tsr_device_share share;
  char message[400] = "";
  cr_assert_eq(tsr__device_share_of(&tsr__device_check, devices, n_asked, rank, size, &share,
                                    message, sizeof message),
               TSR_OK, "%s", message);
  return share;
}

/* Where there are enough devices, no two ranks have the same one, and all have equally many. Else
 * every device is some rank's, and the numbers of ranks per device differ by at most one. */
Test(device_share, is_even)
{
  for (int n_devices = 1; n_devices <= 20; n_devices++)
    for (int size = 1; size <= 24; size++) {
      int n_ranks_of[20] = {0};
      int least = size, most = 0;
      char text[8];
      snprintf(text, sizeof text, "%d", n_devices);
      for (int rank = 0; rank < size; rank++) {
        const tsr_device_share s = share_of(text, 0, rank, size);
        const int each = n_devices / size;
        cr_assert_eq(s.n_places, each > TSR_MAX_PLACES ? TSR_MAX_PLACES : each > 0 ? each : 1);
        cr_assert_eq(s.n_devices, n_devices);
        for (int i = 0; i < s.n_places; i++) n_ranks_of[s.number[i]]++;
        for (int i = 1; i < s.n_places; i++) cr_assert_eq(s.number[i], s.number[0] + i);
      }
      for (int rank = 0; rank < size; rank++) {
        const tsr_device_share s = share_of(text, 0, rank, size);
        cr_assert_eq(s.n_sharers, n_ranks_of[s.number[0]]);
      }
      for (int i = 0; i < n_devices; i++) {
        least = n_ranks_of[i] < least ? n_ranks_of[i] : least;
        most = n_ranks_of[i] > most ? n_ranks_of[i] : most;
      }
      cr_assert(n_devices < size ? least >= 1 && most - least <= 1 : most == 1);
    }
}

Test(device_share, fewer_places_leave_devices)
{
  const tsr_device_share s = share_of("8,6,4,2", 1, 1, 2);
  cr_assert(s.n_places == 1 && s.number[0] == 4 && s.n_sharers == 1 && s.n_devices == 4);
}

Test(device_share, a_device_that_is_shared_is_one_place)
{
  tsr_device_share s;
  char message[400] = "";
  cr_assert_eq(tsr__device_share_of(&tsr__device_check, "2", 2, 1, 4, &s, message, sizeof message),
               TSR_ERR_CONFIG);
  cr_assert_str_eq(message,
                   "TESSERA_PLACES is 2, but of this node's 2 devices check (TESSERA_DEVICES) each "
                   "of its 4 ranks has 1, together with others\nhelp: fewer places, more devices, "
                   "or fewer ranks on a node");
}

static int none(char *why, size_t size)
{
  snprintf(why, size, "it was never built");
  return 0;
}

static int three(char *why, size_t size)
{
  return 3;
}

/* The devices of a kind that counts them are all of these, unless a list says which. */
Test(device_share, of_a_kind_that_counts)
{
  const tsr_device_ops few = {.name = "few", .count = three}, no = {.name = "no", .count = none};
  tsr_device_share s;
  char message[400] = "";
  cr_assert_eq(tsr__device_share_of(&few, "", 0, 0, 1, &s, message, sizeof message), TSR_OK);
  cr_assert(s.n_places == 3 && s.n_devices == 3 && s.number[2] == 2);
  cr_assert_eq(tsr__device_share_of(&few, "1,2", 0, 1, 2, &s, message, sizeof message), TSR_OK);
  cr_assert(s.n_places == 1 && s.number[0] == 2);
  cr_assert_eq(tsr__device_share_of(&few, "1,3", 0, 1, 2, &s, message, sizeof message),
               TSR_ERR_CONFIG);
  cr_assert_str_eq(message, "TESSERA_DEVICES is \"1,3\", but there is no device few 3: this node "
                            "has 3\nhelp: devices are numbered from 0");
  cr_assert_eq(tsr__device_share_of(&no, "", 0, 0, 1, &s, message, sizeof message), TSR_ERR_CONFIG);
  cr_assert_str_eq(message, "this node has no device no (TESSERA_DEVICE): it was never built");
}

/* A device that is listed twice is that of two places, of one rank or of two. */
Test(device_share, a_device_may_be_listed_twice)
{
  tsr_device_share s = share_of("3,3", 0, 0, 1);
  cr_assert(s.n_places == 2 && s.number[0] == 3 && s.number[1] == 3);
  cr_assert(s.n_sharers == 1 && s.n_place_sharers == 2 && s.n_devices == 2);
  s = share_of("3,3,0,3", 0, 1, 2);
  cr_assert(s.n_places == 2 && s.number[0] == 0 && s.number[1] == 3);
  cr_assert(s.n_sharers == 2 && s.n_place_sharers == 3);
  s = share_of("3,3", 0, 1, 2);
  cr_assert(s.n_places == 1 && s.number[0] == 3 && s.n_sharers == 2 && s.n_place_sharers == 2);
}

/* More places than a counted node has devices share them, unless a list says which. */
Test(device_share, places_share_devices_that_are_counted)
{
  const tsr_device_ops few = {.name = "few", .count = three};
  tsr_device_share s;
  char message[400] = "";
  cr_assert_eq(tsr__device_share_of(&few, "", 4, 0, 1, &s, message, sizeof message), TSR_OK);
  cr_assert(s.n_places == 4 && s.number[0] == 0 && s.number[1] == 0 && s.number[3] == 2);
  cr_assert(s.n_sharers == 1 && s.n_place_sharers == 2 && s.n_devices == 3);
  cr_assert_eq(tsr__device_share_of(&few, "", 2, 1, 2, &s, message, sizeof message), TSR_OK);
  cr_assert(s.n_places == 2 && s.number[0] == 1 && s.number[1] == 2 && s.n_place_sharers == 1);
  cr_assert_eq(tsr__device_share_of(&few, "1,", 2, 0, 1, &s, message, sizeof message),
               TSR_ERR_CONFIG);
}
