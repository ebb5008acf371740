package dev.stowage.cli.input;

import dev.stowage.plan.MalformedFileException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The largest allocation of temporaries of a program, and the sum of all others. */
final class XlaBuffers {

  /*
   *   BufferAssignment:
   *   allocation 0: size 64, page 0, parameter 0, shape |f32[16]| at ShapeIndex {}:
   *    value: <1 x @0> (size=64,offset=0): f32[16]{0}
   *   allocation 1: size 1280, page 0, preallocated-temp:
   *    value: <3 loop{0} (phi) @0> (size=1000,offset=0): f32[250]{0}
   *
   * A program has an allocation of temporaries for each of its memories. Allocations of one thread are registers.
   * Other lines can follow an empty line.
   */

  /** An allocation; the name is empty if there is none. */
  private record Allocation(String name, long bytes, boolean isTemporary, List<XlaValue> values) {}

  private static final Pattern ALLOCATION =
      Pattern.compile("(allocation \\d+): size (\\d+)(?:,.*)?:");
  private static final Pattern VALUE =
      Pattern.compile(
          " value: <\\d+ (\\S+?)(?: \\(phi\\))? @\\d+> \\(size=(\\d+),offset=(\\d+)\\).*");

  private final XlaText text;
  private final Map<String, XlaRanges.Range> ranges;
  private final Set<String> keys = new HashSet<>();
  private Allocation allocation = new Allocation("", 0, false, List.of());
  private Allocation largest = allocation;
  private int temporariesCount;
  private long bytes;

  private XlaBuffers(XlaText text, Map<String, XlaRanges.Range> ranges) {
    this.text = text;
    this.ranges = ranges;
  }

  /**
   * {@return the allocations of a file}
   *
   * @param ranges the live ranges of the values, by their keys
   * @throws MalformedFileException if the file violates its format, or contradicts the ranges
   */
  static XlaBuffers of(XlaText text, Map<String, XlaRanges.Range> ranges)
      throws MalformedFileException {
    text.checkStart("BufferAssignment:", "list of buffers");
    XlaBuffers buffers = new XlaBuffers(text, ranges);
    for (int i = 1; i < text.lines().size() && !text.lines().get(i).isBlank(); i++) {
      Matcher allocation = ALLOCATION.matcher(text.lines().get(i));
      if (allocation.matches()) {
        buffers.addAllocation(i, allocation);
      } else {
        buffers.addValue(i);
      }
    }
    for (String key : ranges.keySet()) {
      if (!buffers.keys.contains(key)) {
        throw new MalformedFileException(
            text.source(),
            "value " + MalformedFileException.excerpt(key),
            "has a live range and no buffer; the two files are of different modules, or this one is cut short");
      }
    }
    return buffers;
  }

  /** {@return the values of the largest allocation of temporaries; empty if there is none} */
  List<XlaValue> values() {
    return largest.values;
  }

  /** {@return the bytes of the largest allocation of temporaries; 0 if there is none} */
  long temporaryBytes() {
    return largest.bytes;
  }

  /** {@return the bytes of all other allocations} */
  long otherBytes() {
    return bytes - largest.bytes;
  }

  /** {@return a sentence if there are several allocations of temporaries} */
  List<String> notes() {
    return temporariesCount < 2
        ? List.of()
        : List.of(
            "only "
                + largest.name
                + " is planned, the largest of "
                + temporariesCount
                + " allocations preallocated-temp, each of which is a memory of its own");
  }

  private void addAllocation(int line, Matcher found) throws MalformedFileException {
    boolean isTemporary = found.group().endsWith("preallocated-temp:");
    long size = text.number(line, found.group(2));
    if (size > Long.MAX_VALUE - bytes) {
      throw text.error(line, "brings the sum of all allocations above 2^63 - 1 bytes");
    }
    bytes += found.group().endsWith("thread-local:") ? 0 : size;
    allocation = new Allocation(found.group(1), size, isTemporary, new ArrayList<>());
    if (isTemporary) {
      temporariesCount++;
      largest = temporariesCount == 1 || size > largest.bytes ? allocation : largest;
    }
  }

  private void addValue(int line) throws MalformedFileException {
    Matcher found = VALUE.matcher(text.lines().get(line));
    if (!found.matches()) {
      throw text.error(
          line,
          "expected 'allocation NUMBER: size BYTES, …:' or a value '<ID NAME @0> (size=BYTES,offset=BYTES)'; the file may be cut short");
    }
    String name = found.group(1);
    String key = name.endsWith("}") ? name : name + "{}"; // as lists of live ranges have it
    boolean isNew = keys.add(key);
    if (!allocation.isTemporary) {
      return;
    }
    String label = "value " + MalformedFileException.excerpt(name);
    if (!isNew) {
      throw text.error(line, label + " occurs twice, expected once");
    }
    XlaRanges.Range range = ranges.get(key);
    if (range == null) {
      throw text.error(
          line,
          label
              + " has no live range in the other file; the two files are of different modules, or that one is cut short");
    }
    long size = text.number(line, found.group(2));
    long offset = text.number(line, found.group(3));
    if (size > allocation.bytes - offset) {
      throw text.error(
          line, label + " ends beyond its allocation, which has " + allocation.bytes + " bytes");
    }
    allocation.values.add(new XlaValue(name, size, offset, range.first(), range.last()));
  }
}
