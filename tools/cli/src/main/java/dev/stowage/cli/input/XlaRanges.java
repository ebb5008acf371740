package dev.stowage.cli.input;

import dev.stowage.plan.MalformedFileException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The instructions of a program in their order, and the live ranges of its values.
 *
 * @param ranges the ranges by the keys of the values
 */
record XlaRanges(List<String> instructions, Map<String, Range> ranges) {

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
  record Range(long first, long last) {}

  private static final Pattern SECTION = Pattern.compile(" {2}\\S.*");
  private static final Pattern INSTRUCTION = Pattern.compile("\\s+(\\d+):(\\S+)");
  private static final Pattern RANGE = Pattern.compile("\\s+(\\S+):(\\d+)-(\\d+)");

  /**
   * {@return the live ranges of a file}
   *
   * @throws MalformedFileException if the file violates its format
   */
  static XlaRanges of(XlaText text) throws MalformedFileException {
    text.checkStart("HloLiveRange", "list of live ranges");
    XlaRanges ranges = new XlaRanges(new ArrayList<>(), new HashMap<>());
    String section = "";
    for (int i = 1; i < text.lines().size(); i++) {
      String line = text.lines().get(i);
      if (SECTION.matcher(line).matches()) {
        section = line.strip();
      } else if (section.equals("InstructionSequence:") && !line.isBlank()) {
        ranges.addInstruction(text, i);
      } else if (section.equals("BufferLiveRange:") && !line.isBlank()) {
        ranges.addRange(text, i);
      }
    }
    return ranges;
  }

  private void addInstruction(XlaText text, int line) throws MalformedFileException {
    Matcher instruction = INSTRUCTION.matcher(text.lines().get(line));
    if (!instruction.matches() || text.number(line, instruction.group(1)) != instructions.size()) {
      throw text.error(line, "expected the instruction " + instructions.size() + ":NAME");
    }
    instructions.add(instruction.group(2));
  }

  private void addRange(XlaText text, int line) throws MalformedFileException {
    Matcher range = RANGE.matcher(text.lines().get(line));
    if (!range.matches()) {
      throw text.error(
          line, "expected a live range NAME{INDEX}:FIRST-LAST; the file may be cut short");
    }
    long first = text.number(line, range.group(2));
    long last = text.number(line, range.group(3));
    if (first > last) {
      throw text.error(line, "has a live range that ends before it begins: " + first + "-" + last);
    }
    if (ranges.put(range.group(1), new Range(first, last)) != null) {
      throw text.error(
          line,
          "value "
              + MalformedFileException.excerpt(range.group(1))
              + " has a second live range, expected one");
    }
  }
}
