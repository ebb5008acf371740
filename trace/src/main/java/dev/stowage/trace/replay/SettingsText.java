package dev.stowage.trace.replay;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * A reader of the names and values of settings of PyTorch's allocator.
 *
 * <p>The syntax is {@code name:value,name:value}; blanks have no meaning. A value may be a list in
 * brackets.
 */
final class SettingsText {

  private static final long MIB = 1 << 20;
  private static final long LARGEST_MB = Long.MAX_VALUE / MIB;

  /** The settings of host memory, locks and events, which do not change placements. */
  private static final Set<String> FLAGS_WITHOUT_EFFECT =
      Set.of(
          "release_lock_on_cudamalloc",
          "release_lock_on_hipmalloc",
          "pinned_use_cuda_host_register",
          "pinned_use_hip_host_register",
          "pinned_use_background_threads",
          "pinned_free_catch_all",
          "graph_capture_record_stream_reuse",
          "throw_on_cudamalloc_oom");

  private static final Set<String> NUMBERS_WITHOUT_EFFECT =
      Set.of(
          "pinned_num_register_threads",
          "pinned_reserve_segment_size_mb",
          "pinned_max_round_threshold_mb",
          "pinned_max_cached_size_mb");

  private static final List<String> WITH_EFFECT =
      List.of(
          "max_split_size_mb",
          "max_non_split_rounding_mb",
          "large_segment_size_mb",
          "garbage_collection_threshold",
          "per_process_memory_fraction",
          "expandable_segments",
          "roundup_power2_divisions");

  private final List<String> tokens;
  private final List<String> withoutEffect = new ArrayList<>();
  private int next;

  SettingsText(String text) {
    tokens = tokens(text);
  }

  private static List<String> tokens(String text) {
    List<String> tokens = new ArrayList<>();
    StringBuilder token = new StringBuilder();
    for (int i = 0; i <= text.length(); i++) {
      char c = i < text.length() ? text.charAt(i) : ',';
      if (",:[]".indexOf(c) >= 0) {
        if (!token.isEmpty()) {
          tokens.add(token.toString());
          token.setLength(0);
        }
        if (i < text.length()) {
          tokens.add(String.valueOf(c));
        }
      } else if (!Character.isWhitespace(c)) {
        token.append(c);
      }
    }
    return tokens;
  }

  /** {@return the names of parsed settings that do not change placements} */
  List<String> withoutEffect() {
    return List.copyOf(withoutEffect);
  }

  /** {@return true if another setting follows} */
  boolean hasNext() {
    return next < tokens.size();
  }

  /** {@return the name of the next setting} */
  String nextName() {
    return tokens.get(next++);
  }

  /** Reads the comma between a setting and the next one. */
  void endSetting(String name) {
    if (next < tokens.size()) {
      expect(",", "after the value of '" + name + "'");
    }
  }

  /** Reads a setting that does not change placements, or {@return the text of any other setting} */
  Optional<String> otherSetting(String name) {
    if (FLAGS_WITHOUT_EFFECT.contains(name)) {
      flag(name);
    } else if (NUMBERS_WITHOUT_EFFECT.contains(name)) {
      whole(name, value(name));
    } else {
      checkNotCut(name);
      return Optional.of(name + ":" + rest(name));
    }
    withoutEffect.add(name);
    return Optional.empty();
  }

  /** Rejects the start of a known name, such as one without its unit. */
  private static void checkNotCut(String name) {
    for (String known : WITH_EFFECT) {
      if (known.startsWith(name)) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "'%s' is not a setting of PyTorch's allocator, expected %s",
                name,
                known));
      }
    }
  }

  /** {@return the value of a setting of any kind, up to the comma before the next one} */
  private String rest(String name) {
    StringBuilder text = new StringBuilder(value(name));
    int depth = text.toString().equals("[") ? 1 : 0;
    while (next < tokens.size() && (depth > 0 || !tokens.get(next).equals(","))) {
      String token = tokens.get(next++);
      depth += token.equals("[") ? 1 : token.equals("]") ? -1 : 0;
      text.append(token);
    }
    if (depth > 0) {
      expect("]", "at the end of the list of '" + name + "'");
    }
    return text.toString();
  }

  void checkBackend(String name) {
    String backend = value(name);
    if (!backend.equals("native")) {
      throw wrong(name, backend, "native, the allocator whose rules are known");
    }
  }

  private String value(String name) {
    expect(":", "after '" + name + "'");
    if (next == tokens.size()) {
      throw new IllegalArgumentException("setting '" + name + "' has no value");
    }
    return tokens.get(next++);
  }

  private void expect(String token, String place) {
    String found = next < tokens.size() ? tokens.get(next) : "the end";
    if (!found.equals(token)) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT, "the settings have '%s' %s, expected '%s'", found, place, token));
    }
    next++;
  }

  long megabytes(String name, long least) {
    String value = value(name);
    long megabytes = whole(name, value);
    if (megabytes < least) {
      throw wrong(name, value, least + " or more");
    }
    return Math.min(megabytes, LARGEST_MB) * MIB;
  }

  private static long whole(String name, String value) {
    try {
      long number = Long.parseLong(value);
      if (number >= 0) {
        return number;
      }
    } catch (NumberFormatException e) {
      // As for a negative number.
    }
    // PyTorch ignores the text behind a number, such as a unit.
    String digits = value.replaceFirst("(?s)[^0-9].*", "");
    throw wrong(
        name,
        value,
        digits.isEmpty()
            ? "a whole number"
            : "a whole number without text behind it (PyTorch reads " + digits + ")");
  }

  double threshold(String name) {
    String value = value(name);
    double share = number(name, value);
    if (!(share > 0 && share < 1)) {
      throw wrong(name, value, "a number above 0 and below 1");
    }
    return share;
  }

  double fraction(String name) {
    String value = value(name);
    double share = number(name, value);
    if (!(share >= 0 && share <= 1)) {
      throw wrong(name, value, "a number from 0 to 1");
    }
    return share;
  }

  /** {@return the addresses of an expandable segment, in GiB (40G) or as a share of the memory} */
  String reserve(String name) {
    String value = value(name);
    double number =
        isInGib(value) ? number(name, value.substring(0, value.length() - 1)) : number(name, value);
    if (!(number > 0 && Double.isFinite(number))) {
      throw wrong(name, value, "a share of the memory, such as 0.5, or GiB, such as 40G");
    }
    return value;
  }

  static boolean isInGib(String reserve) {
    return reserve.endsWith("G") || reserve.endsWith("g");
  }

  static double reserveNumber(String reserve) {
    return Double.parseDouble(
        isInGib(reserve) ? reserve.substring(0, reserve.length() - 1) : reserve);
  }

  private static double number(String name, String value) {
    try {
      return Double.parseDouble(value);
    } catch (NumberFormatException e) {
      throw wrong(name, value, "a number");
    }
  }

  boolean flag(String name) {
    String value = value(name);
    return switch (value) {
      case "True" -> true;
      case "False" -> false;
      default -> throw wrong(name, value, "True or False");
    };
  }

  Roundup roundup(String name) {
    int[] divisions = new int[Roundup.SIZES];
    String value = value(name);
    if (value.equals("[")) {
      readDivisions(name, divisions);
    } else {
      int count = divisions(name, value);
      if (count == 0) {
        throw wrong(name, value, "a power of two");
      }
      Arrays.fill(divisions, count);
    }
    return new Roundup(divisions);
  }

  /** Reads {@code 256:1,512:2,>:8]}: sizes in MiB, and the divisions from each to the next. */
  private void readDivisions(String name, int[] divisions) {
    int last = -1;
    while (next < tokens.size() && !tokens.get(next).equals("]")) {
      String size = tokens.get(next++);
      expect(":", "after '" + size + "' in the list of '" + name + "'");
      String value = next < tokens.size() ? tokens.get(next++) : "";
      int count = divisions(name, value);
      if (size.equals(">")) {
        Arrays.fill(divisions, Math.max(last, 0) + 1, divisions.length, count);
      } else {
        int index = sizeIndex(name, size);
        if (last < 0) {
          Arrays.fill(divisions, 0, index, count);
        }
        divisions[index] = count;
        last = index;
      }
      if (next < tokens.size() && !tokens.get(next).equals("]")) {
        expect(",", "in the list of '" + name + "'");
      }
    }
    expect("]", "at the end of the list of '" + name + "'");
  }

  private static int sizeIndex(String name, String size) {
    long megabytes = whole(name, size);
    if (Long.bitCount(megabytes) != 1) {
      throw wrong(name, size, "a size in MiB that is a power of two");
    }
    return Math.min(Long.numberOfTrailingZeros(megabytes), Roundup.SIZES - 1);
  }

  private static int divisions(String name, String value) {
    long count = whole(name, value);
    if (Long.bitCount(count) > 1 || count > Integer.MAX_VALUE) {
      throw wrong(name, value, "a power of two");
    }
    return (int) count;
  }

  private static IllegalArgumentException wrong(String name, String value, String expected) {
    return new IllegalArgumentException(
        String.format(Locale.ROOT, "setting '%s' is '%s', expected %s", name, value, expected));
  }
}
