package dev.stowage.cli.check;

import dev.stowage.cli.input.ExistingFile;
import dev.stowage.cli.input.MicroMemory;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Text;
import dev.stowage.plan.MalformedFileException;
import dev.stowage.plan.TensorUsageRecord;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * The places of all buffers on a device, as {@code PlacementLog} of {@code scratch_log.h} prints
 * them between other lines. The last line on a buffer counts.
 */
public final class DeviceLog {

  private static final Pattern ROW =
      Pattern.compile("\\b(buffer|placed),(\\d{1,9}),(\\d{1,10})(?:,(-?\\d{1,10}))?");

  /** The bytes of each buffer. */
  private final Map<Integer, Long> bytes = new TreeMap<>();

  /** The offset of each buffer. */
  private final Map<Integer, Long> offsets = new TreeMap<>();

  /** The number of buffers with an offset in the plan that the interpreter read. */
  private int plannedCount;

  private DeviceLog() {}

  /**
   * A buffer that the device does not place as planned.
   *
   * @param name the tensor or the scratch buffer; the index of a buffer that the plan lacks
   * @param bytes the bytes on the device; if the device has no such buffer, the planned bytes
   * @param planned the offset by the plan; empty for a buffer without a place
   * @param actual the offset on the device; empty without one
   */
  public record Difference(
      String name, long bytes, Optional<Long> planned, Optional<Long> actual, String remark) {}

  /**
   * {@return the log in a file}
   *
   * @throws MalformedFileException if the file has no line of a log
   */
  public static DeviceLog read(String path) throws IOException {
    DeviceLog log = new DeviceLog();
    // A serial line may add bytes that are not UTF-8.
    for (String line : Files.readAllLines(ExistingFile.of(path), StandardCharsets.ISO_8859_1)) {
      Matcher row = ROW.matcher(line);
      if (row.find()) {
        log.add(row);
      }
    }
    if (log.bytes.isEmpty() || log.offsets.isEmpty()) {
      throw new MalformedFileException(
          path,
          "has no lines 'buffer,INDEX,BYTES,PLANNED' and 'placed,INDEX,OFFSET', expected those of PlacementLog in examples/tflm/scratch_log.h");
    }
    return log;
  }

  private void add(Matcher row) {
    int index = Integer.parseInt(row.group(2));
    if (row.group(1).equals("placed")) {
      offsets.put(index, Long.parseLong(row.group(3)));
    } else if (row.group(4) != null) {
      if (index == 0) { // the interpreter starts again
        bytes.clear();
        plannedCount = 0;
      }
      bytes.put(index, Long.parseLong(row.group(3)));
      plannedCount += row.group(4).startsWith("-") ? 0 : 1;
    }
  }

  /** {@return a sentence on a device that does not use the plan; empty if it does} */
  Optional<String> failure(MicroMemory memory) {
    if (plannedCount == 0) {
      return Optional.of(
          "the device does not use the plan: the interpreter read a model without it");
    }
    int count = differences(memory).size();
    return count == 0
        ? Optional.empty()
        : Optional.of(
            Text.of(
                "the device differs from the plan in %s of %d",
                Numbers.count(count, "buffer"), memory.runTimeBuffers().size()));
  }

  /** {@return the buffers that are elsewhere, or that one of the two does not have} */
  public List<Difference> differences(MicroMemory memory) {
    List<TensorUsageRecord> planned = memory.runTimeBuffers();
    NavigableSet<Integer> indices = new TreeSet<>(bytes.keySet());
    IntStream.range(0, planned.size()).forEach(indices::add);
    List<Difference> differences = new ArrayList<>();
    for (int i : indices) {
      Optional<TensorUsageRecord> buffer =
          i < planned.size() ? Optional.of(planned.get(i)) : Optional.empty();
      String remark = buffer.map(it -> remark(i, it)).orElse("not planned");
      if (!remark.isEmpty()) {
        differences.add(
            new Difference(
                buffer.map(it -> it.name()).orElse("buffer " + i),
                bytes.getOrDefault(i, buffer.map(it -> it.bytes()).orElse(0L)),
                buffer.map(it -> it.pinnedOffset().orElseThrow()),
                Optional.ofNullable(offsets.get(i)),
                remark));
      }
    }
    return differences;
  }

  private String remark(int index, TensorUsageRecord planned) {
    if (!bytes.containsKey(index)) {
      return "not in the log";
    }
    long plannedBytes = planned.bytes();
    if (MicroMemory.aligned(bytes.getOrDefault(index, 0L)) != plannedBytes) {
      return "planned with " + plannedBytes + " bytes";
    }
    return offsets.getOrDefault(index, -1L) == planned.pinnedOffset().orElseThrow()
        ? ""
        : "elsewhere";
  }
}
