package dev.stowage.cli.verify;

import dev.stowage.onnx.VerificationReport;
import dev.stowage.pages.label.TypedShape;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A run of a model in planned memory, compared with runs of ONNX Runtime.
 *
 * @param seed the seed of the inputs
 * @param outputs the outputs
 * @param plannedBytes the bytes of the arena
 * @param engineBytes the peak of the engine's own memory; empty if they are unknown
 * @param reorderedEngineBytes those in the order of the plan; empty if they are unknown or if it is
 *     the order of the file
 * @param notes sentences for the user
 */
public record VerifiedRun(
    long seed,
    List<Output> outputs,
    long plannedBytes,
    OptionalLong engineBytes,
    OptionalLong reorderedEngineBytes,
    List<String> notes) {

  /**
   * An output.
   *
   * @param name the name
   * @param shape the shape and the type; empty if it is not a tensor
   * @param elementCount the number of elements
   * @param isBitIdentical true if it is identical to that of the engine's own run, bit for bit
   * @param maxAbsDifference the largest difference of an element from that run; {@link
   *     Double#MAX_VALUE} if they cannot be compared
   * @param optimizedMaxAbsDifference the same for a run with the engine's optimizations
   */
  public record Output(
      String name,
      Optional<TypedShape> shape,
      long elementCount,
      boolean isBitIdentical,
      double maxAbsDifference,
      double optimizedMaxAbsDifference) {}

  /** Creates a run. */
  public VerifiedRun {
    outputs = List.copyOf(outputs);
    notes = List.copyOf(notes);
  }

  /** {@return the run of an .onnx model} */
  static VerifiedRun of(VerificationReport report) {
    return new VerifiedRun(
        report.seed(),
        report.outputs().stream()
            .map(output ->
                new Output(
                    output.name(),
                    output.type().map(type -> new TypedShape(type.shape(), type.elementType())),
                    output.elementCount(),
                    output.isBitIdentical(),
                    output.maxAbsDifference(),
                    output.optimizedMaxAbsDifference()))
            .toList(),
        report.plannedBytes(),
        report.enginePeakBytes(),
        report.reorderedPeakBytes(),
        report.notes());
  }

  /** {@return true if every output is identical to the engine's, bit for bit} */
  public boolean isIdentical() {
    return outputs.stream().allMatch(Output::isBitIdentical);
  }
}
