package dev.stowage.trace.format;

import dev.stowage.plan.MalformedFileException;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A recording of JDK Flight Recorder with the events {@code dev.stowage.Allocate} and {@code
 * dev.stowage.Free} of this library's allocators.
 *
 * <p>The file is read twice. The first pass finds the memory that is older than the recording,
 * because the file has only its frees. The second pass reads the events.
 */
final class JfrRecording implements TraceFormat {

  @Override
  public String name() {
    return "jfr";
  }

  @Override
  public String description() {
    return "JDK Flight Recorder (.jfr)";
  }

  @Override
  public boolean matches(String head) {
    return head.startsWith("FLR\0");
  }

  /** {@return the format of Netty if the file has its events, but none of this library} */
  @Override
  public TraceFormat inDetail(TraceContent content) {
    return !content.isPacked()
            && Files.isRegularFile(content.file())
            && JfrTypes.areThoseOfNetty(content.file())
        ? new NettyRecording()
        : this;
  }

  @Override
  public TraceSummary read(TraceContent content, CheckedEvents events) throws IOException {
    if (content.isPacked()) {
      throw new MalformedFileException(
          content.source(),
          "is a compressed recording of JDK Flight Recorder, expected an uncompressed one; unpack it with gunzip");
    }
    if (!Files.isRegularFile(content.file())) {
      throw new MalformedFileException(
          content.source(),
          "is a recording of JDK Flight Recorder in a pipe, expected a file, which is read twice");
    }
    Survey survey = new Survey();
    Optional<String> damage = JfrOperations.read(content.file(), survey);
    if (damage.isEmpty() || survey.hasAllocations()) {
      History chosen = survey.history(content);
      Replay replay = new Replay(chosen, events);
      replay.passOlder();
      JfrOperations.read(content.file(), replay);
      survey.notes(content.deviceIndex()).forEach(events::note);
    }
    if (damage.isPresent()) {
      throw events.endedEarly(damage.get(), "the recording is cut short or damaged here");
    }
    return events.summary(name());
  }

  /** The facts about an allocator that its events need. */
  private static final class History {

    private final String allocator;
    private final Set<JfrOperation.Key> live = new HashSet<>();

    /** The frees of allocations that the recording does not have. */
    private final Map<JfrOperation.Key, Long> older = new LinkedHashMap<>();

    private long allocations;
    private long frees;

    History(String allocator) {
      this.allocator = allocator;
    }

    void add(JfrOperation operation) {
      switch (operation.kind()) {
        case ALLOCATED -> {
          allocations++;
          live.add(operation.allocation());
        }
        case FREED -> {
          frees++;
          if (!live.remove(operation.allocation())) {
            older.putIfAbsent(operation.allocation(), operation.bytes());
          }
        }
        case FAILED -> {}
      }
    }
  }

  /** The first pass. */
  private static final class Survey implements OrderedJfrEvents.Consumer<JfrOperation> {

    /** The allocators in the order of their first operations. */
    private final Map<String, History> histories = new LinkedHashMap<>();

    @Override
    public void accept(JfrOperation operation, String place) {
      histories.computeIfAbsent(operation.allocator(), History::new).add(operation);
    }

    boolean hasAllocations() {
      return histories.values().stream().anyMatch(history -> history.allocations > 0);
    }

    /** {@return the history of the chosen allocator} */
    History history(TraceContent content) throws MalformedFileException {
      if (!hasAllocations()) {
        throw new MalformedFileException(
            content.source(),
            "has no dev.stowage.Allocate events, expected a recording that enables"
                + " dev.stowage.Allocate and dev.stowage.Free, or, for Netty from 4.2.4 on, "
                + NettyRecording.EVENTS);
      }
      return content.chosen(List.copyOf(histories.values()));
    }

    List<String> notes(int chosen) {
      List<String> notes = new ArrayList<>();
      List<History> all = new ArrayList<>(histories.values());
      if (all.size() > 1) {
        notes.add(
            String.format(
                Locale.ROOT,
                "the recording has %d allocators (%s); the events of '%s' were read",
                all.size(),
                all.stream()
                    .map(history -> "'" + MalformedFileException.excerpt(history.allocator) + "'")
                    .limit(8)
                    .collect(Collectors.joining(", ")),
                MalformedFileException.excerpt(all.get(chosen).allocator)));
      }
      History history = all.get(chosen);
      if (history.frees == 0) {
        notes.add("the recording has no dev.stowage.Free events, so that nothing is freed");
      }
      if (!history.older.isEmpty()) {
        notes.add(
            String.format(
                Locale.ROOT,
                "allocations that are older than the recording: %d, with the bytes of their chunks",
                history.older.size()));
      }
      return notes;
    }
  }

  /** The second pass. */
  private static final class Replay implements OrderedJfrEvents.Consumer<JfrOperation> {

    private final History history;
    private final CheckedEvents events;
    private final KeyedEvents<JfrOperation.Key> allocations;
    private long failures;
    private Optional<Long> startNanos = Optional.empty();

    Replay(History history, CheckedEvents events) {
      this.history = history;
      this.events = events;
      allocations = new KeyedEvents<>(events);
    }

    void passOlder() throws MalformedFileException {
      for (Map.Entry<JfrOperation.Key, Long> older : history.older.entrySet()) {
        if (older.getValue() >= 0) {
          allocations.allocate(
              older.getKey(),
              "the start of the recording",
              id -> new AllocationEvent.Allocate(id, older.getValue(), 0, 0));
        }
      }
    }

    @Override
    public void accept(JfrOperation operation, String place) throws MalformedFileException {
      if (!operation.allocator().equals(history.allocator)) {
        return;
      }
      if (startNanos.isEmpty()) {
        startNanos = Optional.of(operation.nanos());
      }
      long time = (operation.nanos() - startNanos.get()) / 1000;
      if (operation.bytes() < 0) {
        events.refuse(
            place,
            String.format(
                Locale.ROOT, "has a negative number of bytes: bytes=%d", operation.bytes()));
        return;
      }
      switch (operation.kind()) {
        case ALLOCATED ->
            allocations.allocate(operation.allocation(), place, id -> request(id, operation, time));
        case FREED -> allocations.free(operation.allocation(), 0, time, place);
        case FAILED -> {
          String id = "failed-" + ++failures;
          events.pass(new AllocationEvent.Fail(request(id, operation, time)), place);
        }
      }
    }

    private static AllocationEvent.Allocate request(String id, JfrOperation operation, long time) {
      return new AllocationEvent.Allocate(
          id, operation.bytes(), 0, time, operation.origin().frames(), operation.origin().tag());
    }
  }
}
