package dev.stowage.cli.replay;

import dev.stowage.allocator.OutOfMemoryVerdict;
import dev.stowage.cli.input.ExistingFile;
import dev.stowage.pages.history.HistoryRecorder;
import dev.stowage.plan.MalformedFileException;
import dev.stowage.trace.explain.ReplayExplanation;
import dev.stowage.trace.format.EventConsumer;
import dev.stowage.trace.format.TraceOptions;
import dev.stowage.trace.format.TraceReader;
import dev.stowage.trace.format.TraceSummary;
import dev.stowage.trace.replay.AllocatorRules;
import dev.stowage.trace.replay.LimitSearch;
import dev.stowage.trace.replay.Placement;
import dev.stowage.trace.replay.PlacementConsumer;
import dev.stowage.trace.replay.PytorchRecording;
import dev.stowage.trace.replay.PytorchRules;
import dev.stowage.trace.replay.RecordedLimit;
import dev.stowage.trace.replay.ReplayResult;
import dev.stowage.trace.replay.TraceReplay;
import dev.stowage.trace.replay.XlaRules;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

/**
 * Reads and replays traces with the same options.
 *
 * @param traceOptions the options of the trace reader
 * @param choice the allocator, a new one for each trace
 * @param keepsPlacements true if reports have the place of each request
 * @param keepsHistory true if reports have the data of a picture
 * @param explains true if reports have explanations
 * @param explainedEvent the number of the event after which memory is explained; empty for the peak
 */
public record ReplayRunner(
    TraceOptions traceOptions,
    AllocatorChoice choice,
    boolean keepsPlacements,
    boolean keepsHistory,
    boolean explains,
    OptionalLong explainedEvent) {

  /** {@return this runner with explanations of the peak in its reports} */
  private ReplayRunner explaining() {
    return new ReplayRunner(
        traceOptions, choice, keepsPlacements, keepsHistory, true, explainedEvent);
  }

  /**
   * {@return the report on a trace}
   *
   * @throws MalformedFileException if the file is not a trace or is damaged
   */
  public ReplayReport run(String input) throws IOException {
    return run(input, replay -> replay);
  }

  /**
   * {@return the report on a trace that is exported while it is replayed}
   *
   * @throws MalformedFileException if the file is not a trace or is damaged
   */
  public ReplayReport run(String input, Function<TraceReplay, EventConsumer> export)
      throws IOException {
    return run(input, export, OptionalLong.empty());
  }

  /** {@return the report on a trace; it is replayed again with the limit that its failures show} */
  private ReplayReport run(
      String input, Function<TraceReplay, EventConsumer> export, OptionalLong limitBytes)
      throws IOException {
    Path file = ExistingFile.of(input);
    OptionalLong loggedLimit = loggedLimit(input, file);
    long startNanos = System.nanoTime();
    AtomicReference<RunningReplay> started = new AtomicReference<>();
    TraceSummary summary =
        TraceReader.readByFormat(
            input,
            file,
            traceOptions,
            format -> {
              RunningReplay running =
                  new RunningReplay(
                      choice.of(format.name(), loggedLimit),
                      export,
                      keepsPlacements,
                      keepsHistory,
                      explains);
              limitBytes.ifPresent(running.replay::assumeLimit);
              started.set(running);
              return running.consumer();
            });
    RunningReplay running = started.get();
    TraceReplay replay = running.replay;
    ReplayResult result = replay.result();
    if (!explains
        && (summary.isReport()
            || (summary.isState() && running.allocator.kind() == AllocatorKind.pytorch))
        && Files.isRegularFile(file)) { // it is read again, which a pipe does not allow
      return explaining().run(input, export, limitBytes);
    }
    if (limitBytes.isEmpty() && Files.isRegularFile(file)) {
      OptionalLong recorded =
          recordedLimit(
              running,
              summary.format(),
              again -> TraceReader.read(input, file, traceOptions, again));
      if (recorded.isPresent()) {
        return run(input, export, recorded);
      }
    }
    Optional<ReplayExplanation> explanation = Optional.empty();
    if (running.explained.isPresent()) {
      ComparedTrace.checkEvent(input, explainedEvent, running.explained.get().eventCount());
      explanation = Optional.of(running.explained.get().explain(explainedEvent));
    }
    AllocatorSummary allocator = running.summary();
    result =
        result.atWorst(allocator.confidence().mostFailures(), allocator.confidence().highBytes());
    double seconds = (System.nanoTime() - startNanos) / 1e9;
    return new ReplayReport(
        input,
        summary,
        allocator,
        result,
        new ReplayReport.Details(
            olderByAddress(running.placements, replay.heldBlocks()),
            running.recorder.map(HistoryRecorder::history),
            advice(running, result),
            explanation,
            recordedLimit(replay)),
        seconds);
  }

  /** {@return the limit of a log, if the choice needs it; a pipe cannot be read twice} */
  private OptionalLong loggedLimit(String input, Path file) throws IOException {
    if (!choice.needsLimit()
        || !Files.isRegularFile(file)
        || TraceReader.formatOf(file, traceOptions)
            .filter(format -> AllocatorKind.ofFormat(format.name()) == AllocatorKind.xla)
            .isEmpty()) {
      return OptionalLong.empty();
    }
    TraceReplay original =
        new TraceReplay(new XlaRules(OptionalLong.empty()), PlacementConsumer.none());
    TraceReader.read(input, file, traceOptions, original);
    return original.notedLimit();
  }

  /**
   * {@return the limit of the recorded allocator that follows from failed requests, if the replay
   * had no limit}
   */
  private static OptionalLong recordedLimit(
      RunningReplay running, String format, LimitSearch.Events events) throws IOException {
    TraceReplay replay = running.replay;
    if (running.allocator.isOfRecording(format)) {
      return LimitSearch.find(replay, running.allocator.rules(), events);
    }
    ReplayResult.RecordedFailures recorded = replay.recordedFailures();
    if (recorded.asRecorded() < Math.max(1, recorded.count()) || replay.recording().isPresent()) {
      return OptionalLong.empty();
    }
    AllocatorRules rules = ReplayedAllocator.ofRecording(format).rules();
    TraceReplay original = new TraceReplay(rules, PlacementConsumer.none());
    events.passTo(original);
    return LimitSearch.find(original, rules, events);
  }

  /** {@return the limit that follows from failed requests, if no other one is given} */
  private static Optional<RecordedLimit> recordedLimit(TraceReplay replay) {
    return replay.recordedFailures().count() > 0
            && (replay.assumedLimit().isPresent() || !replay.allocator().mayRefuse(1))
        ? replay.recordedLimit()
        : Optional.empty();
  }

  /** {@return the placements; the first ones are sorted by address} */
  private static List<Placement> olderByAddress(List<Placement> placements, int olderCount) {
    if (!placements.isEmpty()) {
      placements
          .subList(0, Math.min(olderCount, placements.size()))
          .sort(Comparator.comparingLong(ReplayRunner::address));
    }
    return placements;
  }

  private static long address(Placement placement) {
    return placement
        .spot()
        .map(spot -> spot.address().orElse(Long.MAX_VALUE))
        .orElse(Long.MAX_VALUE);
  }

  /** {@return settings of PyTorch with which all requests pass; empty if there are none} */
  private static Optional<String> advice(RunningReplay running, ReplayResult result) {
    Optional<PytorchRecording> recording = running.replay.recording();
    return recording.isPresent()
            && running.allocator.rules() instanceof PytorchRules rules
            && result
                .firstFailure()
                .filter(first -> first.verdict() == OutOfMemoryVerdict.FRAGMENTED)
                .isPresent()
        ? rules.passingExpandable(recording.get(), running.replay.settings())
        : Optional.empty();
  }
}
