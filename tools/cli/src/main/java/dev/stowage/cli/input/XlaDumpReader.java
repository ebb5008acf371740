package dev.stowage.cli.input;

import dev.stowage.pages.label.RecordLabel;
import dev.stowage.pages.label.TaskLabel;
import dev.stowage.pages.text.Text;
import dev.stowage.plan.MalformedFileException;
import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A reader of the temporary memory of a program that XLA compiled: {@code …-buffer-assignment.txt}
 * and the file {@code …-live-range.txt} beside it, which {@code XLA_FLAGS=--xla_dump_to=DIR}
 * writes.
 *
 * <p>The records are the values of the allocation {@code preallocated-temp}. Parameters, results
 * and constants have allocations of their own and are not planned. Tasks are instructions.
 */
final class XlaDumpReader {

  /** The alignment of offsets on a GPU; processors have a smaller one. */
  private static final long LARGEST_ALIGNMENT = 256;

  private final XlaFiles files;
  private final XlaBuffers buffers;
  private final XlaRanges ranges;

  private XlaDumpReader(XlaFiles files, XlaBuffers buffers, XlaRanges ranges) {
    this.files = files;
    this.buffers = buffers;
    this.ranges = ranges;
  }

  /**
   * {@return the values as records, and XLA's own plan of them}
   *
   * @param source the file as on the command line
   * @param file the file with the buffers
   * @throws MalformedFileException if one of the files violates its format or is missing
   */
  static PlacedInput read(String source, Path file) throws IOException {
    XlaFiles files = new XlaFiles(source, file);
    try (XlaLines ranges = files.openRanges();
        XlaLines buffers = files.openBuffers()) {
      return new XlaDumpReader(files, XlaBuffers.read(buffers), XlaRanges.read(ranges)).input();
    }
  }

  private PlacedInput input() throws IOException {
    for (String key : ranges.keys()) {
      if (!buffers.has(key)) {
        throw new MalformedFileException(
            files.source(),
            "value " + MalformedFileException.excerpt(key),
            "has a live range and no buffer; the two files are of different modules, or this one is cut short");
      }
    }
    List<XlaValue> records = records();
    // The largest power of two, up to that of a GPU, that divides all offsets of XLA.
    long offsets = records.stream().mapToLong(XlaValue::offset).reduce(0, (a, b) -> a | b);
    long alignment = Long.lowestOneBit(offsets | LARGEST_ALIGNMENT);
    List<TensorUsageRecord> planned = new ArrayList<>();
    List<RecordLabel> labels = new ArrayList<>();
    for (XlaValue record : records) {
      planned.add(
          TensorUsageRecord.of(record.bytes(), record.first(), record.last())
              .withAlignment(alignment));
      labels.add(new RecordLabel(record.name(), record.name()));
    }
    OffsetsAssignment plan =
        OffsetsAssignment.of(
            records.stream().mapToLong(XlaValue::offset).toArray(),
            buffers.largest().map(XlaBuffers.Temporaries::bytes).orElse(0L));
    return new PlacedInput(
        new PlanInput.Tensors(
            file(records),
            labels,
            problem(planned),
            BankFields.NONE,
            Optional.empty(),
            Optional.of(new XlaProgram(plan, buffers.otherBytes())),
            Optional.empty()),
        plan);
  }

  private List<XlaValue> records() throws MalformedFileException {
    List<XlaValue> placed = new ArrayList<>();
    for (XlaValue value : buffers.largest().map(XlaBuffers.Temporaries::values).orElse(List.of())) {
      placed.add(
          ranges
              .of(value)
              .orElseThrow(() ->
                  new MalformedFileException(
                      files.source(),
                      "value " + value.excerpt(),
                      "has no live range in "
                          + files.rangesName()
                          + "; the two files are of different modules, or that one is cut short")));
    }
    return XlaValue.joined(placed);
  }

  private PlanProblem problem(List<TensorUsageRecord> records) throws MalformedFileException {
    try {
      return PlanProblem.of(records);
    } catch (IllegalArgumentException e) {
      throw new MalformedFileException(files.source(), String.valueOf(e.getMessage()));
    }
  }

  private InputFile file(List<XlaValue> records) {
    List<TaskLabel> tasks =
        ranges.instructions().stream().map(name -> new TaskLabel(name, "")).toList();
    long ranged = records.stream().mapToLong(XlaValue::last).max().orElse(-1) + 1;
    return new InputFile(
        files.source(),
        "xla",
        Math.max(tasks.size(), ranged),
        tasks,
        OptionalLong.empty(),
        notes());
  }

  private List<String> notes() {
    return buffers.temporariesCount() < 2
        ? List.of()
        : List.of(
            Text.of(
                "only %s is planned, the largest of %d allocations preallocated-temp, each of which is a memory of its own",
                buffers.largest().orElseThrow().name(), buffers.temporariesCount()));
  }
}
