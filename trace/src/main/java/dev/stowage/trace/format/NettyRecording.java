package dev.stowage.trace.format;

import dev.stowage.plan.MalformedFileException;
import java.io.IOException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A recording of JDK Flight Recorder with the events of Netty's allocators: {@code
 * io.netty.AllocateBuffer}, {@code FreeBuffer}, {@code ReallocateBuffer}, {@code AllocateChunk} and
 * {@code FreeChunk}.
 *
 * <p>An allocation is a direct buffer, and its stream is the thread that allocates it. A buffer
 * that grows is freed after the allocation of its new memory. The file is read twice, as by {@link
 * JfrRecording}.
 */
final class NettyRecording implements TraceFormat {

  static final String EVENTS =
      "io.netty.AllocateBuffer, io.netty.ReallocateBuffer, io.netty.FreeBuffer,"
          + " io.netty.AllocateChunk and io.netty.FreeChunk";

  @Override
  public String name() {
    return "netty";
  }

  @Override
  public String description() {
    return "Netty in JDK Flight Recorder (.jfr)";
  }

  /** {@return false: {@link JfrRecording} recognizes the file} */
  @Override
  public boolean matches(String head) {
    return false;
  }

  @Override
  public TraceSummary read(TraceContent content, CheckedEvents events) throws IOException {
    Survey survey = new Survey();
    Optional<String> damage = NettyEvents.read(content.file(), survey);
    if (damage.isEmpty() || survey.hasAllocations()) {
      NettyHistory history = survey.history(content);
      events.program(history.program(survey.facts));
      Replay replay = new Replay(history, events);
      replay.passOlder();
      NettyEvents.read(content.file(), replay);
      survey.note(history, events);
      replay.note();
    }
    if (damage.isPresent()) {
      throw events.endedEarly(damage.get(), "the recording is cut short or damaged here");
    }
    return events.summary(name());
  }

  /** The first pass. */
  private static final class Survey implements OrderedJfrEvents.Consumer<NettyEvent> {

    private final Map<String, NettyHistory> histories = new LinkedHashMap<>();
    private final NettyFacts facts = new NettyFacts();
    private long heapBuffers;

    @Override
    public void accept(NettyEvent event, String place) {
      switch (event.kind()) {
        case FACT -> facts.add(event);
        case HEAP_BUFFER -> heapBuffers++;
        case THREAD_ENDED -> histories.values().forEach(history -> history.add(event));
        default -> histories.computeIfAbsent(event.allocator(), NettyHistory::new).add(event);
      }
    }

    boolean hasAllocations() {
      return histories.values().stream().anyMatch(history -> history.allocations() > 0);
    }

    /** {@return the allocators; the one with the most allocations is the first} */
    private List<NettyHistory> all() {
      return histories.values().stream()
          .sorted(Comparator.comparingLong(NettyHistory::allocations).reversed())
          .toList();
    }

    NettyHistory history(TraceContent content) throws MalformedFileException {
      if (!hasAllocations()) {
        throw new MalformedFileException(
            content.source(),
            "has no io.netty.AllocateBuffer events of direct buffers, expected a recording that"
                + " enables "
                + EVENTS
                + ", or dev.stowage.Allocate and dev.stowage.Free where Netty has no events");
      }
      return content.chosen(all());
    }

    void note(NettyHistory chosen, CheckedEvents events) {
      if (histories.size() > 1) {
        events.note(
            String.format(
                Locale.ROOT,
                "the recording has %d classes of allocators (%s); the events of %s were read",
                histories.size(),
                all().stream()
                    .map(history -> MalformedFileException.excerpt(history.allocator()))
                    .limit(8)
                    .collect(Collectors.joining(", ")),
                MalformedFileException.excerpt(chosen.allocator())));
      }
      if (chosen.frees() == 0) {
        events.note("the recording has no io.netty.FreeBuffer events, so that nothing is freed");
      }
      if (!chosen.hasChunks()) {
        events.note(
            "the recording has no io.netty.AllocateChunk events, so that the chunks of the program"
                + " are not known");
      }
      events.note(
          chosen.older().size(),
          "buffer is older than the recording, and is allocated at its start",
          "buffers are older than the recording, and are allocated at its start");
      events.note(
          heapBuffers,
          "allocation of a heap buffer is left out, because it has no address",
          "allocations of heap buffers are left out, because they have no addresses");
    }
  }

  /** The second pass. */
  private static final class Replay implements OrderedJfrEvents.Consumer<NettyEvent> {

    private final NettyHistory history;
    private final CheckedEvents events;
    private final KeyedEvents<Address> buffers;

    /** The buffers that get other memory, by their threads. */
    private final Map<Long, Address> moving = new HashMap<>();

    private Optional<Long> startNanos = Optional.empty();
    private long unended;

    Replay(NettyHistory history, CheckedEvents events) {
      this.history = history;
      this.events = events;
      buffers = new KeyedEvents<>(events);
    }

    void passOlder() throws MalformedFileException {
      for (Map.Entry<Long, Long> older : history.older().entrySet()) {
        buffers.allocate(
            new Address(older.getKey()),
            "the start of the recording",
            id -> new AllocationEvent.Allocate(id, Math.max(1, older.getValue()), 0, 0));
      }
    }

    @Override
    public void accept(NettyEvent event, String place) throws MalformedFileException {
      if (!event.allocator().equals(history.allocator())) {
        return;
      }
      if (startNanos.isEmpty()) {
        startNanos = Optional.of(event.nanos());
      }
      long time = (event.nanos() - startNanos.get()) / 1000;
      Address buffer = new Address(event.address());
      switch (event.kind()) {
        case ALLOCATED -> allocate(buffer, event, time, place);
        case REALLOCATED -> moving.put(event.thread(), buffer);
        case FREED -> buffers.free(buffer, event.thread(), time, place);
        case CHUNK_ADDED, CHUNK_REMOVED, HEAP_BUFFER, THREAD_ENDED, FACT -> {}
      }
    }

    private void allocate(Address buffer, NettyEvent event, long time, String place)
        throws MalformedFileException {
      if (event.bytes() < 0) {
        events.refuse(
            place,
            String.format(Locale.ROOT, "has a negative number of bytes: bytes=%d", event.bytes()));
        return;
      }
      if (buffers.isLive(buffer)) {
        unended++;
        buffers.free(buffer, event.thread(), time, place);
      }
      // A buffer without bytes takes as much memory as one with a byte.
      buffers.allocate(
          buffer,
          place,
          id ->
              new AllocationEvent.Allocate(
                  id, Math.max(1, event.bytes()), event.thread(), time, event.frames()));
      Address old = moving.remove(event.thread());
      if (old != null && buffers.isLive(old)) {
        buffers.free(old, event.thread(), time, place);
      }
    }

    void note() {
      events.note(
          unended,
          "buffer ends with the allocation of another one at its address: its free is missing",
          "buffers end with the allocation of another one at their address: their frees are missing");
    }
  }
}
