package dev.stowage.cli.input;

import dev.stowage.plan.MalformedFileException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The instructions of a program in their order, and the live ranges of its values. */
final class XlaRanges {

  /*
   *   HloLiveRange (max 9):
   *     InstructionSequence:
   *       0:x
   *     BufferLiveRange:
   *       loop{0}:3-6
   *
   * Both ends of a range are inclusive. Other sections can follow.
   */

  /** The first and the last position of a value in the order of the instructions. */
  private record Range(long first, long last) {}

  private static final String FIRST_LINE = "HloLiveRange";
  private static final Pattern SECTION = Pattern.compile(" {2}\\S.*");
  private static final Pattern INSTRUCTION = Pattern.compile("\\s+(\\d+):(\\S+)");
  private static final Pattern RANGE = Pattern.compile("\\s+(\\S+):(\\d+)-(\\d+)");

  private final XlaLines lines;
  private final List<String> instructions = new ArrayList<>();
  private final Map<String, Range> ranges = new HashMap<>();

  private XlaRanges(XlaLines lines) {
    this.lines = lines;
  }

  /**
   * {@return the live ranges of a file}
   *
   * @throws MalformedFileException if the file violates its format
   */
  static XlaRanges read(XlaLines lines) throws IOException {
    XlaRanges ranges = new XlaRanges(lines);
    ranges.read();
    return ranges;
  }

  /** {@return the names of the instructions, in their order} */
  List<String> instructions() {
    return instructions;
  }

  /** {@return a value with its range; empty if the file does not have it} */
  Optional<XlaValue> of(XlaValue value) {
    return Optional.ofNullable(ranges.get(value.key()))
        .map(range -> value.during(range.first, range.last));
  }

  /** {@return the keys of the values that have ranges} */
  Set<String> keys() {
    return ranges.keySet();
  }

  private void read() throws IOException {
    Optional<String> line = lines.next();
    if (!line.orElse("").startsWith(FIRST_LINE)) {
      throw lines.fileError(
          "is no list of live ranges, expected '" + FIRST_LINE + "' in the first line");
    }
    String section = "";
    for (line = lines.next(); line.isPresent(); line = lines.next()) {
      String text = line.get();
      if (SECTION.matcher(text).matches()) {
        section = text.strip();
      } else if (section.equals("InstructionSequence:") && !text.isBlank()) {
        addInstruction(text);
      } else if (section.equals("BufferLiveRange:") && !text.isBlank()) {
        addRange(text);
      }
    }
  }

  private void addInstruction(String line) throws IOException {
    Matcher instruction = INSTRUCTION.matcher(line);
    if (!instruction.matches() || lines.number(instruction.group(1)) != instructions.size()) {
      throw lines.error("expected the instruction " + instructions.size() + ":NAME");
    }
    instructions.add(instruction.group(2));
  }

  private void addRange(String line) throws IOException {
    Matcher range = RANGE.matcher(line);
    if (!range.matches()) {
      throw lines.error("expected a live range NAME{INDEX}:FIRST-LAST; the file may be cut short");
    }
    long first = lines.number(range.group(2));
    long last = lines.number(range.group(3));
    if (first > last) {
      throw lines.error("has a live range that ends before it begins: " + first + "-" + last);
    }
    if (ranges.put(range.group(1), new Range(first, last)) != null) {
      throw lines.error(
          "value "
              + MalformedFileException.excerpt(range.group(1))
              + " has a second live range, expected one");
    }
  }
}
