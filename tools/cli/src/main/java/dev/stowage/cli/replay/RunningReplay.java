package dev.stowage.cli.replay;

import dev.stowage.pages.history.HistoryRecorder;
import dev.stowage.trace.explain.ExplainedReplay;
import dev.stowage.trace.format.EventConsumer;
import dev.stowage.trace.replay.Confidence;
import dev.stowage.trace.replay.Placement;
import dev.stowage.trace.replay.PlacementConsumer;
import dev.stowage.trace.replay.TraceReplay;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.Stream;

/** The replay of a trace while it is read, and the observers of the replay. */
final class RunningReplay {

  final ReplayedAllocator allocator;
  final List<Placement> placements = new ArrayList<>();
  final Optional<HistoryRecorder> recorder;
  final TraceReplay replay;
  final Optional<ExplainedReplay> explained;
  private final EventConsumer events;
  private final boolean keepsPlacements;

  RunningReplay(
      ReplayedAllocator allocator,
      Function<TraceReplay, EventConsumer> export,
      boolean keepsPlacements,
      boolean keepsHistory,
      boolean explains) {
    this.allocator = allocator;
    this.keepsPlacements = keepsPlacements;
    recorder = keepsHistory ? Optional.of(new HistoryRecorder()) : Optional.empty();
    replay = new TraceReplay(allocator.rules(), placementConsumer());
    events = recorder.isPresent() ? recorder.get().recording(replay) : export.apply(replay);
    explained =
        explains
            ? Optional.of(new ExplainedReplay(allocator.rules(), replay, events))
            : Optional.empty();
  }

  private PlacementConsumer placementConsumer() {
    if (!keepsPlacements && recorder.isEmpty()) {
      return PlacementConsumer.none();
    }
    return placement -> {
      if (keepsPlacements) {
        placements.add(placement);
      }
      recorder.ifPresent(history -> history.accept(placement));
    };
  }

  /** {@return the consumer of the events} */
  EventConsumer consumer() {
    return explained.map(EventConsumer.class::cast).orElse(events);
  }

  /** {@return the allocator after the last event} */
  AllocatorSummary summary() {
    boolean hasSettings =
        allocator.kind() == AllocatorKind.pytorch || allocator.kind() == AllocatorKind.netty;
    String settings = hasSettings ? replay.settings() : allocator.options();
    return new AllocatorSummary(
        allocator.kind(),
        text(settings),
        settings,
        replay.allocator().rules(),
        hasSettings
            ? replay.recording().map(each -> each.settings().unknownNames()).orElse(List.of())
            : List.of(),
        limitBytes(),
        new AllocatorSummary.Agreement(
            replay.isOriginal() ? replay.recordedAddresses() : OptionalLong.empty(),
            replay.recording().isPresent()
                ? OptionalLong.empty()
                : OptionalLong.of(replay.addressCount()),
            replay.contradictions(),
            replay.allocator().missesRecording()),
        Confidence.of(replay, allocator.rules()));
  }

  private String text(String settings) {
    List<String> parts = new ArrayList<>();
    parts.add(
        allocator.kind().title() + " with " + (settings.isEmpty() ? "its defaults" : settings));
    parts.addAll(replay.phases());
    String rules = replay.allocator().rules();
    if (!rules.isEmpty()) {
      parts.add((allocator.kind() == AllocatorKind.netty ? "in " : "by the rules of ") + rules);
    }
    return String.join(", ", parts);
  }

  /** {@return the given limit, or else the limit of the recording} */
  private OptionalLong limitBytes() {
    return Stream.of(allocator.limitBytes(), replay.assumedLimit(), loggedLimit())
        .filter(OptionalLong::isPresent)
        .findFirst()
        .orElseGet(OptionalLong::empty);
  }

  private OptionalLong loggedLimit() {
    return allocator.rules().isOriginalOfLogs() ? replay.notedLimit() : OptionalLong.empty();
  }
}
