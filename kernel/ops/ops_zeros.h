/* lgamma beside its zeros below 0 and logaddexp where its operands all but cancel, in the manner of
 * kernel/ops/ops_math.h: there a float64 needs more than numbers in two parts have. lgamma is
 * expanded about the zero, which is known in two parts; exp(x) + exp(y) - 1 is added up in three.
 * Tables and polynomials: tools/minimax.py. */
#ifndef TSR_OPS_ZEROS_H
#define TSR_OPS_ZEROS_H

#include "kernel/ops/ops_math.h"

/* Lgamma.
 *
 * From -3 on down there are two zeros for each whole number, about 1/n! on either side of -n. With
 * x = zero + t and e the zero's distance from -n, log |gamma(x)| + log |1 + t/e| is smooth. Beyond
 * -16 no float64 is near a zero. */

/* Word i of the table: for each zero itself in two parts, the slope there in two parts, and the
 * smooth function's coefficients of t^2 to t^9. */
TSR_MATH f64 zero_word_f64(u64 i)
{
  static const double words[] = {
      -0x1.9260dbc9e59afp+1, -0x1.f717cd335a7b3p-53, 0x1.f20a65f2fac55p+2,   -0x1.1d258e4b0be84p-53,
      0x1.93e4c0d086d95p+0,  -0x1.605a21c337bbdp-2,  0x1.4def50fffdb63p-1,   -0x1.595d723a2bceep-2,
      0x1.01ab93fd91a9ep-1,  -0x1.79002b7bd6e39p-2,  0x1.e74d521ac7d25p-2,   -0x1.a9610258d2bdcp-2,
      -0x1.fa471547c2fe5p+1, -0x1.70d4561291237p-56, -0x1.4b99d966c5647p+4,  0x1.9cba2450afff3p-50,
      0x1.8a28880247c1ap+0,  0x1.6ce6691c0062ep-4,   0x1.19d85f48d1bf5p-1,   0x1.79435ecd7b5e4p-4,
      0x1.69cadac15a005p-2,  0x1.7899b238ac481p-4,   0x1.13d262fc4c786p-2,   0x1.7c3a0d489cdf1p-4,
      -0x1.0284e78599581p+2, 0x1.e78c1e9e43cfep-53,  0x1.aca5cf4921642p+4,   0x1.a46a2e0d8fe10p-51,
      0x1.8a4ef90ed8703p+0,  -0x1.7f6f92c4013e1p-4,  0x1.18afa07cacf20p-1,   -0x1.4c0a16aaada81p-4,
      0x1.667dcaaed7055p-2,  -0x1.49d46724fa6a7p-4,  0x1.0f8a7a4ae4e1cp-2,   -0x1.4c0bd28f3a75ep-4,
      -0x1.3f7577a6eeafdp+2, 0x1.5de5eab7f12cfp-53,  -0x1.d224a3ef9e41fp+6,  -0x1.9be272a13babcp-48,
      0x1.8deaecb1b44a5p+0,  0x1.a442703259639p-7,   0x1.1501ec1270324p-1,   0x1.1921ffc0358b1p-6,
      0x1.5bc2e4e5a68d5p-2,  0x1.166b63b360fb2p-6,   0x1.01b422f26b6dcp-2,   0x1.15b43796e0ec5p-6,
      -0x1.4086a57f0b6d9p+2, -0x1.95262b72ca9cap-55, 0x1.ed72e0829ae02p+6,   -0x1.fdc1859aea473p-50,
      0x1.8dfbffa392dafp+0,  -0x1.7ccbf310a8157p-6,  0x1.14ffdd8c144b1p-1,   -0x1.12f522e10f46fp-6,
      0x1.5bbba052879c9p-2,  -0x1.0e9f698f94937p-6,  0x1.01aac90cc3e50p-2,   -0x1.0de50be87aa5dp-6,
      -0x1.7fe92f591f40dp+2, -0x1.7dd4ed62cbd32p-52, -0x1.661f6a43a5e12p+9,  -0x1.0c437b83bc0e6p-45,
      0x1.91725e8baa807p+0,  -0x1.dc9f52b51b779p-11, 0x1.14ed176a3dc2ap-1,   0x1.6fc5cb092dbc6p-9,
      0x1.5b43a23633072p-2,  0x1.6e7f731c2ce66p-9,   0x1.010fc8bc1db9dp-2,   0x1.6d6a8f4132623p-9,
      -0x1.8016b25897c8dp+2, 0x1.27e0f49a4ba72p-54,  0x1.69de49e3af2aap+9,   0x1.954b690943b33p-47,
      0x1.917481c282d03p+0,  -0x1.c56dc7c2bca4bp-8,  0x1.14ed20caf47e4p-1,   -0x1.750c2a0b1e1e4p-9,
      0x1.5b439923e0befp-2,  -0x1.6cace542d8088p-9,  0x1.010fbc9b50356p-2,   -0x1.6b8567ff01f16p-9,
      -0x1.bffcbf76b86f0p+2, 0x1.853b29347b806p-57,  -0x1.3abf7a5cea91bp+12, -0x1.8257b8abd0511p-42,
      0x1.940fa897d8224p+0,  -0x1.4a5b34efff42dp-9,  0x1.14f97eddcf07fp-1,   0x1.9727f68b551f4p-12,
      0x1.5b408167be496p-2,  0x1.a1d45a86dd705p-12,  0x1.010b4da4ad1a2p-2,   0x1.a0ae5981acbffp-12,
      -0x1.c0033fdedfe1fp+2, 0x1.20bb7d2324678p-52,  0x1.3b407aa387bd1p+12,  0x1.da1e57343b1efp-43,
      0x1.940fe3821eb07p+0,  -0x1.bae799de1b571p-9,  0x1.14f97fe47b15ap-1,   -0x1.b77a2196083edp-12,
      0x1.5b40816654d7fp-2,  -0x1.a1c47845a6941p-12, 0x1.010b4d9b02877p-2,   -0x1.a059c4f7d1e68p-12,
      -0x1.ffff97f8159cfp+2, -0x1.e54f415a91586p-55, -0x1.3af76fe4c2fabp+15, -0x1.7cc92f0b996a5p-40,
      0x1.960fc1151518dp+0,  -0x1.2648c2582e2f1p-9,  0x1.150178b9d88acp-1,   0x1.57e6c02cf5ca4p-15,
      0x1.5b4099ca2f658p-2,  0x1.a14da202da53ap-15,  0x1.010b36b205affp-2,   0x1.a0888fec48102p-15,
      -0x1.000034028b3f9p+3, -0x1.f60cb3cec1cedp-52, 0x1.3b088fed67718p+15,  -0x1.505613ba29a31p-39,
      0x1.960fc6d25f64cp+0,  -0x1.345ab699b6d39p-9,  0x1.150178ce03d3fp-1,   -0x1.f6bba0a78bd17p-15,
      0x1.5b4099ca897eap-2,  -0x1.a24b08c5066d7p-15, 0x1.010b36b20178fp-2,   -0x1.a07f579d05bf4p-15,
      -0x1.1ffffa3884bd0p+3, -0x1.ff90c9d2ae925p-53, -0x1.625edfc63db2fp+18, 0x1.da7fc3ed69467p-37,
      0x1.97a44eb9b4e9dp+0,  -0x1.e1361072ee467p-10, 0x1.1506773715362p-1,   -0x1.fec299979c39cp-22,
      0x1.5b40ae8cd1726p-2,  0x1.713efabacd9abp-18,  0x1.010b3685df7dbp-2,   0x1.723981e5f4bb6p-18,
      -0x1.200005c7768fbp+3, -0x1.b5b610ffb70d4p-54, 0x1.6261203919440p+18,  0x1.7d5e8272cda81p-38,
      0x1.97a44f3c7d767p+0,  -0x1.e4568e0c14054p-10, 0x1.1506773885d1dp-1,   -0x1.883e56692e76ap-17,
      0x1.5b40ae8cd6d53p-2,  -0x1.75819d08ec0c1p-18, 0x1.010b3685df871p-2,   -0x1.723f4b2129a5ep-18,
      -0x1.3fffff6c0d7c0p+3, 0x1.197cea8c42d7dp-51,  -0x1.baf7da5f3795dp+21, -0x1.16a79518c8122p-33,
      0x1.98ebfd0a1e4ddp+0,  -0x1.8b3caa1002fbfp-10, 0x1.1509be13ca705p-1,   -0x1.d8b8e213b921ep-19,
      0x1.5b40b9bb3b582p-2,  0x1.1fb60b7a21251p-21,  0x1.010b369a2f2f6p-2,   0x1.2823ca8a174d4p-21,
      -0x1.40000093f2777p+3, -0x1.927b45d95e154p-52, 0x1.baf825a0c63b2p+21,  -0x1.20323f10165f2p-35,
      0x1.98ebfd14d45dfp+0,  -0x1.8b8cb791b9002p-10, 0x1.1509be13e32e1p-1,   -0x1.379e1a2f2216ep-18,
      0x1.5b40b9bb3ba42p-2,  -0x1.327da15282114p-21, 0x1.010b369a2f2ffp-2,   -0x1.283cd97a0b780p-21,
      -0x1.5ffffff28cdd4p+3, 0x1.c9924a65aa486p-53,  -0x1.308a7d8eadb7cp+25, 0x1.a95a609877977p-31,
      0x1.99facc65cf896p+0,  -0x1.49ba6c9ad9629p-10, 0x1.150bfb07dafd4p-1,   -0x1.7675be5d7b6f1p-19,
      0x1.5b40c00b7cec6p-2,  0x1.58e0c8a32d2c2p-25,  0x1.010b36a430da8p-2,   0x1.ae704be73d76ep-25,
      -0x1.6000000d7322ap+3, -0x1.8aecb2d37ff52p-51, 0x1.308a827152450p+25,  -0x1.1233b372bfd9ep-29,
      0x1.99facc669f6cdp+0,  -0x1.49c1b3b5b126fp-10, 0x1.150bfb07dc8dfp-1,   -0x1.8424978cac210p-19,
      0x1.5b40c00b7cf06p-2,  -0x1.03b530b129299p-24, 0x1.010b36a430da8p-2,   -0x1.af338b64d76d4p-25,
      -0x1.7ffffffee1127p+3, -0x1.ce1f7906b30f5p-54, -0x1.c8cfbfaf2b0c8p+28, 0x1.7e94018c6c78dp-27,
      0x1.9ade5a9f13b35p+0,  -0x1.172c608d0b790p-10, 0x1.150d8f92eb855p-1,   -0x1.10da663f984aap-19,
      0x1.5b40c3ca67b97p-2,  -0x1.1026e0cd8abcep-29, 0x1.010b36a92f62ap-2,   0x1.1da466473c694p-28,
      -0x1.800000011eed9p+3, 0x1.19d5307e1fb5ep-53,  0x1.c8cfc050d4f38p+28,  -0x1.7ef0726d4e7acp-26,
      0x1.9ade5a9f225e2p+0,  -0x1.172cfbd02ad41p-10, 0x1.150d8f92eb9d4p-1,   -0x1.11fe4db157c1ep-19,
      0x1.5b40c3ca67b9ap-2,  -0x1.6422c63ad0dacp-27, 0x1.010b36a92f62ap-2,   -0x1.20c8d3eb900abp-28,
      -0x1.9fffffffe9edcp+3, 0x1.84f40342d001cp-51,  -0x1.7328cbfacb4e5p+32, -0x1.eae875d913775p-24,
      0x1.9ba03f5af022dp+0,  -0x1.decd86a47a2aep-11, 0x1.150eb5484abeep-1,   -0x1.9229f14f5c206p-20,
      0x1.5b40c61b9d7e5p-2,  -0x1.eb1f7427ded97p-29, 0x1.010b36abd153fp-2,   0x1.53e014b40d9f6p-32,
      -0x1.a000000016124p+3, -0x1.84e03341ee8ddp-51, 0x1.7328cc0534b1bp+32,  -0x1.f63c3a52c12bfp-24,
      0x1.9ba03f5af11a8p+0,  -0x1.decd9e87849f2p-11, 0x1.150eb5484ac04p-1,   -0x1.9256d9d750254p-20,
      0x1.5b40c61b9d7e5p-2,  -0x1.21e259c6c35a6p-28, 0x1.010b36abd153fp-2,   -0x1.6f1c81b1e5523p-32,
      -0x1.bffffffffe6c7p+3, 0x1.d2a30f3dae0fbp-51,  -0x1.44c3b27faa6bcp+36, -0x1.1972c0b160b2bp-21,
      0x1.9c476e602a0f3p+0,  -0x1.9f1d2e37fe497p-11, 0x1.150f8fa50da75p-1,   -0x1.2e6c28be1c4afp-20,
      0x1.5b40c797e47aap-2,  -0x1.5a057d2c7bd44p-29, 0x1.010b36ad45d82p-2,   0x1.18b62170ff1d3p-36,
      -0x1.c000000001939p+3, -0x1.d2a2f4a73af63p-51, 0x1.44c3b28055944p+36,  -0x1.198d430af8ae5p-21,
      0x1.9c476e602a1e8p+0,  -0x1.9f1d2fecc9857p-11, 0x1.150f8fa50da76p-1,   -0x1.2e6f5dec6817bp-20,
      0x1.5b40c797e47aap-2,  -0x1.605a6f6aa347fp-29, 0x1.010b36ad45d82p-2,   -0x1.07a2fc140e43ap-35,
      -0x1.dfffffffffe52p+3, 0x1.fcf9ccfd8867ep-51,  -0x1.30777757fa84ap+40, 0x1.86558a534b1cdp-14,
      0x1.9cd91113eeec5p+0,  -0x1.6b551c9bb604ep-11, 0x1.151035587bc16p-1,   -0x1.cf7566054ff52p-21,
      0x1.5b40c89344536p-2,  -0x1.d41fe31ae3626p-30, 0x1.010b36ae1c59bp-2,   -0x1.6c04849fddb5ap-39,
      -0x1.e0000000001aep+3, -0x1.fcf9ccde87210p-51, 0x1.30777758057b6p+40,  0x1.865586b64d417p-14,
      0x1.9cd91113eeed3p+0,  -0x1.6b551cb8d4b3fp-11, 0x1.151035587bc16p-1,   -0x1.cf75d382f3f94p-21,
      0x1.5b40c89344536p-2,  -0x1.d4f8036771e1ep-30, 0x1.010b36ae1c59bp-2,   -0x1.8d78af89d4e4fp-38,
      -0x1.fffffffffffe5p+3, -0x1.80c18cc43ea26p-53, -0x1.30777757ffa65p+44, 0x1.9865588a24e58p-10,
      0x1.9d591113eeeccp+0,  -0x1.40aa71feb1bbep-11, 0x1.1510b5587bc16p-1,   -0x1.690f32f1ce6f0p-21,
      0x1.5b40c93deefe0p-2,  -0x1.423c0dac7d073p-30, 0x1.010b36ae9c59bp-2,   -0x1.52755222990e1p-39,
      -0x1.000000000000dp+4, -0x1.cfe7ce6768509p-50, 0x1.307777580059bp+44,  0x1.9865588674a06p-10,
      0x1.9d591113eeeccp+0,  -0x1.40aa720083a7ap-11, 0x1.1510b5587bc16p-1,   -0x1.690f39c9a8b2ap-21,
      0x1.5b40c93deefe0p-2,  -0x1.42498fb145f5ep-30, 0x1.010b36ae9c59bp-2,   -0x1.6d641fc9d5dcdp-39,
  };
  return look_up_f64(words, i);
}

TSR_RARE f64 lgamma_beside_f64(f64 x, m64 needed, f64 otherwise)
{
  const f64 whole = rint_f64(x);
  const f64 shift = splat_f64(0x1.8p52);
  const u64 n = bits_of_f64(shift - whole) - bits_of_f64(shift);
  const u64 row = 2 * (n - 3) - select_u64(x > whole, 1, 0);
  const u64 i = select_u64(needed, 12 * row, 0);
  const f64 zero = zero_word_f64(i), zero_lo = zero_word_f64(i + 1);
  const f64 slope = zero_word_f64(i + 2), slope_lo = zero_word_f64(i + 3);
  const pair_f64 t = add_exactly_f64(x - zero, -zero_lo); /* the difference is exact */
  const f64 s = t.sum / ((zero - whole) + zero_lo);
  f64 p = 1.0 / 15 - s * (1.0 / 16);
  p = fma_f64(-s, p, splat_f64(1.0 / 14));
  p = fma_f64(-s, p, splat_f64(1.0 / 13));
  p = fma_f64(-s, p, splat_f64(1.0 / 12));
  p = fma_f64(-s, p, splat_f64(1.0 / 11));
  p = fma_f64(-s, p, splat_f64(1.0 / 10));
  p = fma_f64(-s, p, splat_f64(1.0 / 9));
  p = fma_f64(-s, p, splat_f64(1.0 / 8));
  p = fma_f64(-s, p, splat_f64(1.0 / 7));
  p = fma_f64(-s, p, splat_f64(1.0 / 6));
  p = fma_f64(-s, p, splat_f64(1.0 / 5));
  p = fma_f64(-s, p, splat_f64(1.0 / 4));
  p = fma_f64(-s, p, splat_f64(1.0 / 3));
  p = fma_f64(-s, p, splat_f64(1.0 / 2));
  f64 g = fma_f64(t.sum, zero_word_f64(i + 11), zero_word_f64(i + 10));
  g = fma_f64(t.sum, g, zero_word_f64(i + 9));
  g = fma_f64(t.sum, g, zero_word_f64(i + 8));
  g = fma_f64(t.sum, g, zero_word_f64(i + 7));
  g = fma_f64(t.sum, g, zero_word_f64(i + 6));
  g = fma_f64(t.sum, g, zero_word_f64(i + 5));
  g = fma_f64(t.sum, g, zero_word_f64(i + 4));
  const f64 line = slope * t.sum;
  const f64 line_lo = fma_f64(slope, t.sum, -line) + fma_f64(slope, t.rest, slope_lo * t.sum);
  const f64 y = line + (line_lo + fma_f64(s * s, p, t.sum * t.sum * g));
  return select_f64(needed, y, otherwise);
}

/* Of x between -3 and -2, from its two zeros there. */
TSR_RARE f64 lgamma_between_f64(f64 x, m64 needed, f64 otherwise)
{
  const f64 u = x + 165.0 / 64;
  f64 q = fma_f64(0x1.9eff9dfbf764fp+38, u, -0x1.4c1a6db6af912p+37);
  q = fma_f64(q, u, -0x1.6ba699f7be5b5p+36);
  q = fma_f64(q, u, 0x1.10ba8472cba08p+35);
  q = fma_f64(q, u, 0x1.c43b9171bff5cp+33);
  q = fma_f64(q, u, -0x1.4e4c926978df5p+32);
  q = fma_f64(q, u, -0x1.963943ac86852p+29);
  q = fma_f64(q, u, 0x1.0049e103cb13fp+28);
  q = fma_f64(q, u, 0x1.b8de6adfd2e31p+26);
  q = fma_f64(q, u, -0x1.4d9b0a44d69b1p+25);
  q = fma_f64(q, u, 0x1.d7532d1807fd3p+22);
  q = fma_f64(q, u, -0x1.c824f0fae1e34p+21);
  q = fma_f64(q, u, 0x1.f992acf165ed1p+20);
  q = fma_f64(q, u, -0x1.b9a66b8536c50p+19);
  q = fma_f64(q, u, 0x1.803f95665d429p+18);
  q = fma_f64(q, u, -0x1.55440372da3e0p+17);
  q = fma_f64(q, u, 0x1.34fb27374dfcap+16);
  q = fma_f64(q, u, -0x1.12620c9acc90dp+15);
  q = fma_f64(q, u, 0x1.f74ab27d871a7p+13);
  q = fma_f64(q, u, -0x1.be6beb3d270fbp+12);
  q = fma_f64(q, u, 0x1.a3cfba0827892p+11);
  q = fma_f64(q, u, -0x1.7197c4a274f66p+10);
  q = fma_f64(q, u, 0x1.6a45ef28f9969p+9);
  q = fma_f64(q, u, -0x1.388d2c3602ee5p+8);
  q = fma_f64(q, u, 0x1.4941ad39ac383p+7);
  q = fma_f64(q, u, -0x1.0f63cf3619a68p+6);
  q = fma_f64(q, u, 0x1.45d1a1edac382p+5);
  q = fma_f64(q, u, -0x1.e80a5802631c3p+3);
  q = fma_f64(q, u, 0x1.7a57491e88d38p+3);
  q = fma_f64(q, u, -0x1.d3c892b4c2249p+1);
  const pair_f64 s = add_exactly_f64(splat_f64(0x1.6034fc9198fecp+2), u * q);
  const f64 s_lo = s.rest + -0x1.ba04b1089ae70p-55;
  const pair_f64 a = add_exactly_f64(x + 0x1.3a7fc9600f86cp+1, splat_f64(0x1.55f64f98af8d0p-55));
  const pair_f64 b = add_exactly_f64(x + 0x1.5fb410a1bd901p+1, splat_f64(-0x1.a19a96d2e6f85p-54));
  const f64 p = a.sum * b.sum;
  const f64 p_lo = fma_f64(a.sum, b.sum, -p) + fma_f64(a.sum, b.rest, a.rest * b.sum);
  const f64 y = p * s.sum;
  const f64 y_lo = fma_f64(p, s.sum, -y) + fma_f64(p, s_lo, p_lo * s.sum);
  return select_f64(needed, y + y_lo, otherwise);
}

/* Logaddexp. */

/* A number in three parts, each beyond the last place of the one before. */
typedef struct triple_f64 {
  f64 hi, mid, low;
} triple_f64;

TSR_MATH triple_f64 gather_triple_f64(f64 hi, f64 mid, f64 low)
{
  const pair_f64 p = add_exactly_f64(mid, low);
  const pair_f64 q = add_exactly_f64(hi, p.sum);
  const pair_f64 r = add_exactly_f64(q.rest, p.rest);
  return TSR_MAKE(triple_f64, q.sum, r.sum, r.rest);
}

TSR_MATH triple_f64 add_triple_f64(triple_f64 x, triple_f64 y)
{
  const pair_f64 a = add_exactly_f64(x.hi, y.hi), b = add_exactly_f64(x.mid, y.mid);
  const pair_f64 c = add_exactly_f64(a.rest, b.sum);
  return gather_triple_f64(a.sum, c.sum, (x.low + y.low) + (b.rest + c.rest));
}

TSR_MATH pair_f64 multiply_exactly_f64(f64 x, f64 y)
{
  const f64 p = x * y;
  return TSR_MAKE(pair_f64, p, fma_f64(x, y, -p));
}

TSR_MATH triple_f64 multiply_triple_f64(triple_f64 x, triple_f64 y)
{
  const pair_f64 a = multiply_exactly_f64(x.hi, y.hi);
  const pair_f64 b = multiply_exactly_f64(x.hi, y.mid), c = multiply_exactly_f64(x.mid, y.hi);
  const pair_f64 d = add_exactly_f64(b.sum, c.sum);
  const pair_f64 e = add_exactly_f64(a.rest, d.sum);
  const f64 low = fma_f64(x.hi, y.low, fma_f64(x.low, y.hi, x.mid * y.mid));
  return gather_triple_f64(a.sum, e.sum, (low + (b.rest + c.rest)) + (d.rest + e.rest));
}

/* p x + c + c_lo */
TSR_MATH pair_f64 step_pair_f64(pair_f64 p, triple_f64 x, f64 c, f64 c_lo)
{
  const pair_f64 a = multiply_exactly_f64(p.sum, x.hi);
  const pair_f64 b = add_exactly_f64(c, a.sum);
  const f64 rest = (b.rest + c_lo) + (a.rest + fma_f64(p.sum, x.mid, p.rest * x.hi));
  const f64 sum = b.sum + rest;
  return TSR_MAKE(pair_f64, sum, (b.sum - sum) + rest);
}

/* Two of them: the processor computes on one where the other has to wait. */
typedef struct triples_f64 {
  triple_f64 a, b;
} triples_f64;

/* c + t y for each. */
TSR_MATH triples_f64 step_triples_f64(triples_f64 t, triples_f64 y, triple_f64 c)
{
  return TSR_MAKE(triples_f64, add_triple_f64(c, multiply_triple_f64(t.a, y.a)),
                  add_triple_f64(c, multiply_triple_f64(t.b, y.b)));
}

/* The series of exp(y) - 1 from y^7 on, over y^7. */
TSR_MATH triple_f64 tail_expm1_f64(triple_f64 y)
{
  f64 p = fma_f64(0x1.952c77030ad4ap-49, y.hi, 0x1.ae7f3e733b81fp-45);
  p = fma_f64(p, y.hi, 0x1.ae7f3e733b81fp-41);
  p = fma_f64(p, y.hi, 0x1.93974a8c07c9dp-37);
  p = fma_f64(p, y.hi, 0x1.6124613a86d09p-33);
  p = fma_f64(p, y.hi, 0x1.1eed8eff8d898p-29);
  pair_f64 q = step_pair_f64(TSR_MAKE(pair_f64, p, splat_f64(0.0)), y,
                             splat_f64(0x1.ae64567f544e4p-26), splat_f64(-0x1.c062e06d1f209p-80));
  q = step_pair_f64(q, y, splat_f64(0x1.27e4fb7789f5cp-22), splat_f64(0x1.cbbc05b4fa99ap-76));
  q = step_pair_f64(q, y, splat_f64(0x1.71de3a556c734p-19), splat_f64(-0x1.c154f8ddc6c00p-73));
  q = step_pair_f64(q, y, splat_f64(0x1.a01a01a01a01ap-16), splat_f64(0x1.a01a01a01a01ap-76));
  q = step_pair_f64(q, y, splat_f64(0x1.a01a01a01a01ap-13), splat_f64(0x1.a01a01a01a01ap-73));
  return TSR_MAKE(triple_f64, q.sum, q.rest, splat_f64(0.0));
}

TSR_MATH triple_f64 scale_triple_f64(triple_f64 x, f64 by)
{
  return TSR_MAKE(triple_f64, x.hi * by, x.mid * by, x.low * by);
}

/* exp(x) - 1 for |x| < 0.7 to 2^-150 of itself: the series at x / 64, six times doubled by
 * E(2 y) = 2 E(y) + E(y)^2. */
TSR_MATH triples_f64 expm1_triples_f64(triples_f64 x)
{
  const f64 small = splat_f64(0x1p-6), two = splat_f64(2.0);
  const triples_f64 y = {scale_triple_f64(x.a, small), scale_triple_f64(x.b, small)};
  const f64 sixth = splat_f64(0x1.5555555555555p-3); /* each part 2^-54 times the one before */
  const triple_f64 c_6 = {splat_f64(0x1.6c16c16c16c17p-10), splat_f64(-0x1.f49f49f49f49fp-65),
                          splat_f64(-0x1.27d27d27d27d2p-119)};
  const triple_f64 c_5 = {splat_f64(0x1.1111111111111p-7), splat_f64(0x1.1111111111111p-63),
                          splat_f64(0x1.1111111111111p-119)};
  const triple_f64 c_4 = {0.25 * sixth, 0x1p-56 * sixth, 0x1p-110 * sixth};
  const triple_f64 c_3 = {sixth, 0x1p-54 * sixth, 0x1p-108 * sixth};
  const triple_f64 c_2 = {splat_f64(0.5), splat_f64(0.0), splat_f64(0.0)};
  triples_f64 t = {tail_expm1_f64(y.a), tail_expm1_f64(y.b)};
  t = step_triples_f64(t, y, c_6);
  t = step_triples_f64(t, y, c_5);
  t = step_triples_f64(t, y, c_4);
  t = step_triples_f64(t, y, c_3);
  t = step_triples_f64(t, y, c_2);
  t.a = multiply_triple_f64(y.a, t.a);
  t.b = multiply_triple_f64(y.b, t.b);
  t.a = add_triple_f64(y.a, multiply_triple_f64(y.a, t.a));
  t.b = add_triple_f64(y.b, multiply_triple_f64(y.b, t.b));
  for (int i = 0; i < 6; i++) {
    t.a = add_triple_f64(scale_triple_f64(t.a, two), multiply_triple_f64(t.a, t.a));
    t.b = add_triple_f64(scale_triple_f64(t.b, two), multiply_triple_f64(t.b, t.b));
  }
  return t;
}

/* x - k ln 2; the first two parts of ln 2 have 42 bits, so that their products are exact. */
TSR_MATH triple_f64 rest_of_exp_f64(f64 x, f64 k)
{
  const f64 first = fma_f64(k, -0x1.62e42fefa3800p-1, x); /* exact */
  const pair_f64 a = add_exactly_f64(first, k * -0x1.ef35793c76000p-45);
  const pair_f64 b = multiply_exactly_f64(k, splat_f64(-0x1.cc01f97b57a08p-87));
  const pair_f64 c = add_exactly_f64(a.rest, b.sum);
  return gather_triple_f64(a.sum, c.sum, fma_f64(k, 0x1.979b31ace93a5p-141, b.rest + c.rest));
}

/* log(1 + h), h = (exp(high) - 1) + exp(low), -0.7 < high < 0, for |h| < 0.2; times 2^512 on the
 * way where high, h and log(1 + h) = h are all but 0. */
TSR_RARE f64 logaddexp_beside_f64(f64 high, f64 low, m64 needed, f64 otherwise)
{
  const f64 zero = splat_f64(0.0), shift = splat_f64(0x1.8p52);
  const f64 a = select_f64(needed, high, -0x1.62e42fefa39efp-1);
  const f64 b = select_f64(needed, low, -0x1.62e42fefa39efp-1);
  const f64 t = fma_f64(b, 0x1.71547652b82fep0, shift);
  const m64 tiny = a > -0x1p-200;
  const u64 n = bits_of_f64(t) - bits_of_f64(shift) + select_u64(tiny, 512, 0);
  const f64 scale = from_bits_f64((n + 1023) << 52);
  const triples_f64 e =
      expm1_triples_f64(TSR_MAKE(triples_f64, {a, zero, zero}, rest_of_exp_f64(b, t - shift)));
  const triple_f64 x = add_triple_f64(TSR_MAKE(triple_f64, splat_f64(1.0), zero, zero), e.b);
  const triple_f64 less = {select_f64(tiny, a * 0x1p512, e.a.hi), select_f64(tiny, 0.0, e.a.mid),
                           select_f64(tiny, 0.0, e.a.low)};
  const triple_f64 h = add_triple_f64(less, scale_triple_f64(x, scale));
  const f64 y = sum_log1p_f64(select_f64(tiny, 0.0, h.hi), h.mid, zero);
  return select_f64(needed, select_f64(tiny, h.hi * 0x1p-512, y), otherwise);
}

#endif
