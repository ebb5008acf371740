package dev.stowage.cli.replay;

import dev.stowage.pages.history.ReplayHistory;
import dev.stowage.trace.explain.ReplayExplanation;
import dev.stowage.trace.format.RecordedState;
import dev.stowage.trace.format.TraceSummary;
import dev.stowage.trace.replay.Placement;
import dev.stowage.trace.replay.RecordedLimit;
import dev.stowage.trace.replay.ReplayResult;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The result of a replay.
 *
 * @param input the file as on the command line
 * @param summary the summary of the reader
 * @param result the statistics of the allocator
 * @param details the parts that not every replay has
 * @param seconds the time of reading and replaying
 */
public record ReplayReport(
    String input,
    TraceSummary summary,
    AllocatorSummary allocator,
    ReplayResult result,
    Details details,
    double seconds) {

  /**
   * The parts of a report that not every replay has.
   *
   * @param placements the place of each request; empty if not requested
   * @param history the events; empty if not requested
   * @param advice settings of PyTorch with which no request fails; empty if none are known
   * @param explanation the holders of memory; empty if not requested
   * @param limit the limit that follows from the failed requests of the recording; empty if none
   *     failed, or if the user gave a limit
   */
  public record Details(
      List<Placement> placements,
      Optional<ReplayHistory> history,
      Optional<String> advice,
      Optional<ReplayExplanation> explanation,
      Optional<RecordedLimit> limit) {}

  /** {@return the number of recorded requests, without blocks older than the recording} */
  public long allocations() {
    return result.allocations() - olderBlocks();
  }

  /** {@return the number of recorded allocations that did not fail in the recording} */
  public long recordedAllocations() {
    return allocations() - result.recordedFailures().count();
  }

  /** {@return the program that made the recording} */
  public String programName() {
    return AllocatorKind.ofFormat(summary.format()).program();
  }

  /** {@return true for the memory of PyTorch in a snapshot without a history} */
  public boolean isState() {
    return summary.isState() && allocator.kind() == AllocatorKind.pytorch;
  }

  /** {@return true if no recorded addresses show how the recorded allocator held its memory} */
  public boolean isSimulated() {
    return !summary.isReport() && !summary.isState() && allocator.agreement().addresses().isEmpty();
  }

  private long olderBlocks() {
    return summary.recorded().map(RecordedState::olderBlocks).orElse(0L);
  }

  /**
   * {@return the number of the first failed event, from 1; 0 for a block older than the recording;
   * empty if none failed}
   */
  public OptionalLong firstFailureEvent() {
    return result.firstFailure().isEmpty()
        ? OptionalLong.empty()
        : OptionalLong.of(Math.max(0, result.firstFailure().get().event() - olderBlocks()));
  }

  /** {@return the number of recorded allocations and frees} */
  public long events() {
    return allocations() + result.frees();
  }
}
