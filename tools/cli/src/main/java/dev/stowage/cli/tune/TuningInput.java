package dev.stowage.cli.tune;

import dev.stowage.cli.failure.ExplainedFailure;
import dev.stowage.cli.failure.FailureProgram;
import dev.stowage.cli.input.ExistingFile;
import dev.stowage.cli.replay.AllocatorKind;
import dev.stowage.cli.replay.ReplayedAllocator;
import dev.stowage.plan.MalformedFileException;
import dev.stowage.trace.format.TraceOptions;
import dev.stowage.trace.format.TraceReader;
import dev.stowage.trace.format.TraceSummary;
import dev.stowage.trace.tune.TunedTrace;
import java.io.IOException;
import java.util.OptionalLong;

/**
 * A trace that was read for a search.
 *
 * @param input the file as on the command line
 * @param summary the summary of the trace
 * @param trace the events
 * @param recordedLimit the limit that follows from the failed requests of the trace, if some failed
 */
public record TuningInput(
    String input, TraceSummary summary, TunedTrace trace, OptionalLong recordedLimit) {

  /**
   * Reads a trace.
   *
   * @param input the file as on the command line
   * @param options the options of the trace reader
   * @throws MalformedFileException if the file is not a trace or is damaged
   * @throws IOException if the file cannot be read
   */
  public static TuningInput read(String input, TraceOptions options) throws IOException {
    TunedTrace trace = new TunedTrace();
    TraceSummary summary = TraceReader.read(input, ExistingFile.of(input), options, trace);
    if (summary.isReport()) {
      throw new MalformedFileException(
          input,
          "has the memory at the moment of a failure, but no requests before; expected a log with"
              + " requests (TF_CPP_VMODULE=bfc_allocator=4)");
    }
    if (summary.isState()) {
      throw new MalformedFileException(
          input,
          "is a snapshot without a history, so that there is nothing to replay; to record one, call "
              + ExplainedFailure.recording(FailureProgram.PYTORCH).getFirst()
              + " before the step");
    }
    OptionalLong recordedLimit =
        trace.recordedLimit(ReplayedAllocator.ofRecording(summary.format()).rules());
    recordedLimit.ifPresent(trace::assumeLimit);
    return new TuningInput(input, summary, trace, recordedLimit);
  }

  /** {@return the allocator to tune if the user names none} */
  public AllocatorKind usualAllocator() {
    return AllocatorKind.ofFormat(summary.format());
  }
}
