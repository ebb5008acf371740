package dev.stowage.cli.input;

import dev.stowage.pages.label.RecordLabel;
import dev.stowage.plan.MalformedFileException;
import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A reader of the temporary memory of a program that XLA compiled: {@code …-buffer-assignment.txt}
 * and the file {@code …-live-range.txt} beside it, which {@code XLA_FLAGS=--xla_dump_to=DIR}
 * writes.
 *
 * <p>The records are the values of the allocation {@code preallocated-temp}. Parameters, results
 * and constants have allocations of their own and are not planned. Tasks are positions of the
 * schedule.
 */
final class XlaDumpReader {

  /*
   * Values that share a buffer, such as results in place and the state of a loop, have the same offset
   * and live ranges that overlap. They are one record over the union of their ranges.
   */

  static final String SUFFIX = "-buffer-assignment.txt";

  private static final String RANGES_SUFFIX = "-live-range.txt";
  private static final long ALIGNMENT = 256;

  private static final Pattern ALLOCATION = Pattern.compile("allocation \\d+: size (\\d+),.*");
  private static final Pattern VALUE =
      Pattern.compile(
          " value: <\\d+ (\\S+?)(?: \\(phi\\))? @\\d+> \\(size=(\\d+),offset=(\\d+)\\).*");
  private static final Pattern RANGE = Pattern.compile("\\s+(\\S+):(\\d+)-(\\d+)");

  private static final Comparator<Value> BY_OFFSET =
      Comparator.comparingLong(Value::offset)
          .thenComparingLong(Value::first)
          .thenComparingLong(Value::last)
          .thenComparing(Value::name);

  /** A value, or several that share a buffer. */
  private record Value(String name, long bytes, long offset, long first, long last) {

    Value with(Value other) {
      return new Value(
          name,
          Math.max(bytes, other.bytes),
          offset,
          Math.min(first, other.first),
          Math.max(last, other.last));
    }
  }

  /** The first and the last position of a value in the schedule. */
  private record LiveRange(long first, long last) {}

  private final String source;
  private final Map<String, LiveRange> ranges = new HashMap<>();
  private final List<Value> values = new ArrayList<>();
  private OptionalLong temporaryBytes = OptionalLong.empty();
  private long valueCount;

  private XlaDumpReader(String source) {
    this.source = source;
  }

  /**
   * {@return the values as records, and XLA's own plan of them}
   *
   * @param source the file as on the command line
   * @param file the file with the buffers
   * @throws MalformedFileException if one of the files violates its format or is missing
   */
  static PlacedInput read(String source, Path file) throws IOException {
    XlaDumpReader reader = new XlaDumpReader(source);
    String name = file.getFileName().toString();
    String rangesName = name.substring(0, name.length() - SUFFIX.length()) + RANGES_SUFFIX;
    Path rangesFile = file.resolveSibling(rangesName);
    if (!Files.exists(rangesFile)) {
      throw new MalformedFileException(
          source,
          "needs the file " + rangesName + " beside it, which XLA writes to the same folder");
    }
    reader.readRanges(rangesFile);
    reader.readValues(file);
    return reader.input();
  }

  private void readRanges(Path file) throws IOException {
    try (Reader text = TextInput.open(file);
        BufferedReader lines = new BufferedReader(text)) {
      boolean isRange = false;
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith("  ") && !line.startsWith("   ")) {
          isRange = line.startsWith("  BufferLiveRange");
        } else if (isRange) {
          Matcher range = RANGE.matcher(line);
          if (range.matches()) {
            ranges.put(
                range.group(1), new LiveRange(number(range.group(2)), number(range.group(3))));
          }
        }
      }
    }
  }

  private void readValues(Path file) throws IOException {
    try (Reader text = TextInput.open(file);
        BufferedReader lines = new BufferedReader(text)) {
      boolean isTemporary = false;
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        Matcher allocation = ALLOCATION.matcher(line);
        Matcher value = VALUE.matcher(line);
        if (allocation.matches()) {
          isTemporary = line.endsWith("preallocated-temp:");
          if (isTemporary) {
            temporaryBytes = OptionalLong.of(number(allocation.group(1)));
          }
        } else if (isTemporary && value.matches()) {
          addValue(value);
        }
      }
    }
  }

  private void addValue(Matcher line) throws MalformedFileException {
    String name = line.group(1).endsWith("}") ? line.group(1) : line.group(1) + "{}";
    LiveRange range = ranges.get(name);
    if (range == null) {
      throw new MalformedFileException(
          source,
          "value " + name,
          "has no live range; the two files are of different modules, or one is cut short");
    }
    valueCount++;
    values.add(
        new Value(name, number(line.group(2)), number(line.group(3)), range.first(), range.last()));
  }

  private long number(String digits) throws MalformedFileException {
    try {
      return Long.parseLong(digits);
    } catch (NumberFormatException e) {
      throw new MalformedFileException(
          source, "has the number " + digits + ", expected one below 2^63");
    }
  }

  private PlacedInput input() throws MalformedFileException {
    if (temporaryBytes.isEmpty()) {
      throw new MalformedFileException(
          source, "has no allocation preallocated-temp, so that there is nothing to plan");
    }
    List<Value> buffers = buffers();
    List<TensorUsageRecord> records = new ArrayList<>();
    List<RecordLabel> labels = new ArrayList<>();
    long lastTask = 0;
    for (Value buffer : buffers) {
      try {
        records.add(
            TensorUsageRecord.of(buffer.bytes(), buffer.first(), buffer.last())
                .withAlignment(ALIGNMENT));
      } catch (IllegalArgumentException e) {
        throw new MalformedFileException(
            source, "value " + buffer.name(), String.valueOf(e.getMessage()));
      }
      labels.add(new RecordLabel(buffer.name(), buffer.name()));
      lastTask = Math.max(lastTask, buffer.last());
    }
    InputFile file =
        new InputFile(source, "xla", lastTask + 1, OptionalLong.empty(), List.of(note(buffers)));
    long[] offsets = buffers.stream().mapToLong(Value::offset).toArray();
    return new PlacedInput(
        new PlanInput.Tensors(file, labels, PlanProblem.of(records)),
        OffsetsAssignment.of(offsets, temporaryBytes.getAsLong()));
  }

  private String note(List<Value> buffers) {
    return String.format(
        Locale.ROOT,
        "XLA's own plan of its %d values in %d buffers needs %d bytes",
        valueCount,
        buffers.size(),
        temporaryBytes.orElseThrow());
  }

  private List<Value> buffers() {
    List<Value> sorted = values.stream().sorted(BY_OFFSET).toList();
    List<Value> buffers = new ArrayList<>();
    for (Value value : sorted) {
      Value last = buffers.isEmpty() ? null : buffers.getLast();
      if (last != null && last.offset() == value.offset() && value.first() <= last.last()) {
        buffers.set(buffers.size() - 1, last.with(value));
      } else {
        buffers.add(value);
      }
    }
    return buffers;
  }
}
