package dev.stowage.cli.input;

import dev.stowage.pages.label.RecordLabel;
import dev.stowage.pages.label.TaskLabel;
import dev.stowage.plan.MalformedFileException;
import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A reader of the temporary memory of a program of XLA: {@code …-buffer-assignment.txt} and the
 * file {@code …-live-range.txt} beside it. {@code XLA_FLAGS=--xla_dump_to=DIR} writes both.
 *
 * <p>The records are the values of the allocation {@code preallocated-temp}. Parameters, results
 * and constants have allocations of their own and are not planned. Tasks are instructions.
 */
final class XlaDumpReader {

  /** The end of the name of the file with the buffers, without {@link #PACKED}. */
  static final String BUFFERS = "-buffer-assignment.txt";

  private static final String PACKED = ".gz";

  /** The alignment of offsets on a GPU; processors have a smaller one. */
  private static final long LARGEST_ALIGNMENT = 256;

  private XlaDumpReader() {}

  /**
   * {@return the values as records, and XLA's own plan of them}
   *
   * @param source the file as on the command line
   * @param file the file with the buffers
   * @throws MalformedFileException if one of the files violates its format or is missing
   */
  static PlacedInput read(String source, Path file) throws IOException {
    XlaRanges ranges = XlaRanges.of(ranges(source, file));
    XlaBuffers buffers = XlaBuffers.of(XlaText.read(source, file), ranges.ranges());
    return input(source, XlaValue.joined(buffers.values()), buffers, ranges.instructions());
  }

  /** {@return the text of the file with the live ranges; the file may be packed by gzip} */
  private static XlaText ranges(String source, Path file) throws IOException {
    int end = source.toLowerCase(Locale.ROOT).lastIndexOf(BUFFERS);
    String other = source.substring(0, end) + "-live-range.txt";
    for (String name : List.of(other, other + PACKED)) {
      Path ranges = file.resolveSibling(Path.of(name).getFileName());
      if (Files.isRegularFile(ranges)) {
        return XlaText.read(name, ranges);
      }
    }
    throw new MalformedFileException(
        source,
        "needs the file "
            + Path.of(other).getFileName()
            + " beside it, which XLA writes to the same folder");
  }

  private static PlacedInput input(
      String source, List<XlaValue> records, XlaBuffers buffers, List<String> instructions)
      throws MalformedFileException {
    // The largest power of two that divides all offsets of XLA, at most the alignment of a GPU.
    long offsets = records.stream().mapToLong(XlaValue::offset).reduce(0, (a, b) -> a | b);
    long alignment = Long.lowestOneBit(offsets | LARGEST_ALIGNMENT);
    OffsetsAssignment plan =
        OffsetsAssignment.of(
            records.stream().mapToLong(XlaValue::offset).toArray(), buffers.temporaryBytes());
    long taskCount = records.stream().mapToLong(XlaValue::last).max().orElse(-1) + 1;
    InputFile properties =
        new InputFile(
            source,
            "xla",
            Math.max(instructions.size(), taskCount),
            instructions.stream().map(name -> new TaskLabel(name, "")).toList(),
            OptionalLong.empty(),
            buffers.notes());
    try {
      PlanProblem problem =
          PlanProblem.of(
              records.stream()
                  .map(record ->
                      TensorUsageRecord.of(record.bytes(), record.first(), record.last())
                          .withAlignment(alignment))
                  .toList());
      PlanInput.Tensors input =
          new PlanInput.Tensors(
              properties,
              records.stream().map(it -> new RecordLabel(it.name(), it.name())).toList(),
              problem,
              BankFields.NONE,
              Optional.empty(),
              Optional.of(new XlaProgram(plan, buffers.otherBytes())),
              Optional.empty());
      return new PlacedInput(input, plan);
    } catch (IllegalArgumentException e) {
      throw new MalformedFileException(source, String.valueOf(e.getMessage()));
    }
  }
}
