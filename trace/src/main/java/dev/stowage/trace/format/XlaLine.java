package dev.stowage.trace.format;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A line that a BFC allocator of XLA or TensorFlow has logged. */
final class XlaLine {

  static final String FILE = "bfc_allocator.cc:";

  /** Lines of absl, of absl before the program has initialized it, and of TensorFlow. */
  private static final Pattern CLOCK =
      Pattern.compile(
          "(?:[IWEF]\\d{4}|\\d{4}-\\d\\d-\\d\\d) (\\d\\d):(\\d\\d):(\\d{2,12})\\.(\\d{6})[ :].*",
          Pattern.DOTALL);

  private final String prefix;
  private final String message;

  private XlaLine(String prefix, String message) {
    this.prefix = prefix;
    this.message = message;
  }

  /** {@return a line of a log; empty if a BFC allocator has not written it} */
  static Optional<XlaLine> of(String line) {
    int start = line.indexOf(FILE);
    int end = start < 0 ? -1 : line.indexOf("] ", start);
    return end < 0
        ? Optional.empty()
        : Optional.of(new XlaLine(line.substring(0, start), line.substring(end + 2)));
  }

  /**
   * {@return the folder of the file that wrote the line, such as xla/tsl/framework/; "" for none}
   */
  String folder() {
    return prefix.substring(prefix.lastIndexOf(' ') + 1);
  }

  String message() {
    return message;
  }

  /** {@return the number of the thread that wrote the line; empty if the line has none} */
  String thread() {
    String text = prefix.strip();
    String last = text.substring(text.lastIndexOf(' ') + 1);
    return last.chars().allMatch(Character::isDigit) ? last : "";
  }

  /** {@return the microseconds of the line's clock, or -1 if it has none} */
  long micros() {
    Matcher clock = CLOCK.matcher(prefix);
    if (!clock.matches()) {
      return -1;
    }
    long seconds =
        Long.parseLong(clock.group(1)) * 3600
            + Long.parseLong(clock.group(2)) * 60
            + Long.parseLong(clock.group(3));
    return seconds * 1_000_000 + Long.parseLong(clock.group(4));
  }
}
