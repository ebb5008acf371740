package dev.stowage.cli.report;

import dev.stowage.allocator.internal.OutOfMemoryNumbers;
import dev.stowage.allocator.internal.OutOfMemoryNumbers.Quantity;
import dev.stowage.cli.failure.FailureChanges;
import dev.stowage.cli.failure.FailureFacts;
import dev.stowage.cli.failure.FailureNumbers;
import dev.stowage.cli.failure.FailurePart;
import dev.stowage.cli.failure.FailureProgram;
import dev.stowage.cli.failure.PrintedBytes;
import dev.stowage.cli.replay.ReplayReport;
import dev.stowage.trace.replay.ReplayResult;
import java.util.OptionalLong;

/** The changes that can help after a failure of a replay. */
public final class ReplayChanges {

  private ReplayChanges() {}

  /**
   * {@return the changes that can help after a failure}
   *
   * @param report a replay with the allocator of the recording
   * @param failure a failure of the replay
   */
  public static FailureChanges of(ReplayReport report, ReplayResult.Failure failure) {
    FailureProgram program = program(report);
    // A fraction of PyTorch is a limit that can be raised; the memory of the device is not.
    boolean hasLimit = program != FailureProgram.PYTORCH || failure.numbers().isProgramLimit();
    return FailureChanges.of(
        FailureFacts.of(program, failure.verdict(), numbers(failure, hasLimit)));
  }

  /** {@return the program that made the recording of a replay} */
  public static FailureProgram program(ReplayReport report) {
    return switch (report.summary().format()) {
      case "pytorch" -> FailureProgram.PYTORCH;
      case "xla" ->
          switch (report.summary().program()) {
            case JAX -> FailureProgram.JAX;
            case TENSORFLOW -> FailureProgram.TENSORFLOW;
            case JAX_OR_TENSORFLOW, OTHER -> FailureProgram.XLA;
          };
      case "rmm" -> FailureProgram.RMM;
      case "netty" -> FailureProgram.NETTY;
      default -> FailureProgram.OTHER;
    };
  }

  /**
   * {@return the numbers of a failure}
   *
   * @param hasLimit true if they have the limit, if it is known
   */
  public static FailureNumbers numbers(ReplayResult.Failure failure, boolean hasLimit) {
    OutOfMemoryNumbers known = failure.numbers();
    FailureNumbers numbers =
        FailureNumbers.NONE.with(
            FailurePart.REQUESTED, PrintedBytes.exact(failure.request().bytes()));
    numbers = with(numbers, FailurePart.ALLOCATED, known.get(Quantity.IN_USE));
    numbers = with(numbers, FailurePart.CACHED, known.get(Quantity.CACHED));
    numbers = with(numbers, FailurePart.LARGEST_HOLE, known.get(Quantity.LARGEST_HOLE));
    return hasLimit ? with(numbers, FailurePart.LIMIT, known.get(Quantity.LIMIT)) : numbers;
  }

  private static FailureNumbers with(FailureNumbers numbers, FailurePart part, OptionalLong bytes) {
    return bytes.isPresent() ? numbers.with(part, PrintedBytes.exact(bytes.getAsLong())) : numbers;
  }
}
