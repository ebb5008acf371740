package dev.stowage.trace.format;

import dev.stowage.plan.MalformedFileException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A log of the BFC allocator of XLA and TensorFlow, as {@code TF_CPP_VMODULE=bfc_allocator=4} with
 * {@code TF_CPP_MAX_VLOG_LEVEL=4} makes it.
 *
 * <p>A program has an allocator for each device, {@code GPU_0_bfc} and so on. The one of the chosen
 * device is read. Lines of other programs and files are ignored.
 */
final class XlaLog implements TraceFormat {

  /*
   * A line AllocateRaw with an address follows the allocation. A line DeallocateRaw precedes the free,
   * so that an allocation of another thread may come between them. The addresses tell: a free that
   * would have given the next allocation another address comes after it.
   */

  private static final String FILE = "bfc_allocator.cc:";

  /** Addresses of devices have at most 57 bits. */
  private static final long MOST_ADDRESS = 1L << 57;

  private static final Pattern TIME =
      Pattern.compile("[IWEF]\\d{4} (\\d\\d):(\\d\\d):(\\d\\d)\\.(\\d{6}) ");
  private static final Pattern ALLOCATE =
      Pattern.compile("AllocateRaw (\\S+)  (\\d+) 0x(\\p{XDigit}{1,16})");
  private static final Pattern FREE =
      Pattern.compile("\\[mem-debug] DeallocateRaw,([^,]+),\\d+,0x(\\p{XDigit}{1,16})(,.*)?");
  private static final Pattern EXTEND =
      Pattern.compile("Extending allocation by .* bytes for (\\S+)\\.");
  private static final Pattern REGION =
      Pattern.compile("Allocated memory at 0x(\\p{XDigit}{1,16}) to 0x(\\p{XDigit}{1,16})");

  @Override
  public String name() {
    return "xla";
  }

  @Override
  public String description() {
    return "a log of XLA's BFC allocator (TF_CPP_VMODULE=bfc_allocator=4)";
  }

  @Override
  public boolean matches(String head) {
    return head.contains(FILE);
  }

  @Override
  public TraceSummary read(TraceContent content, CheckedEvents events) throws IOException {
    Lines lines = new Lines(content.source(), events, "GPU_" + content.deviceIndex() + "_bfc");
    content.forEachLine(events, lines::read);
    lines.end();
    return events.summary(name());
  }

  /** A free whose line was read, and which may take place later. */
  private record LateFree(long address, long end, long time, String place) {}

  /** The lines of a file. */
  private static final class Lines {

    private final String source;
    private final CheckedEvents events;
    private final String allocator;
    private final KeyedEvents<Address> allocations;
    private final LoggedChunks chunks = new LoggedChunks();
    private final Map<String, Long> others = new TreeMap<>();
    private final List<LateFree> late = new ArrayList<>();

    /** The allocator that each thread extends. */
    private final Map<String, String> extended = new HashMap<>();

    private long startMicros = -1;
    private long count;
    private long movedCount;
    private long freeLines;
    private long freeCount;
    private long cutCount;

    Lines(String source, CheckedEvents events, String allocator) {
      this.source = source;
      this.events = events;
      this.allocator = allocator;
      allocations = new KeyedEvents<>(events);
    }

    void read(String line, String place) throws MalformedFileException {
      int start = line.indexOf(FILE);
      int end = start < 0 ? -1 : line.indexOf("] ", start);
      if (end < 0) {
        return;
      }
      String message = line.substring(end + 2);
      if (message.startsWith("AllocateRaw ")) {
        Matcher allocate = ALLOCATE.matcher(message);
        if (!allocate.matches()) {
          cutCount += message.contains("alignment=") ? 0 : 1;
        } else if (isChosen(allocate.group(1))) {
          allocate(allocate, time(line), place);
        }
      } else if (message.startsWith("[mem-debug] DeallocateRaw,")) {
        Matcher free = FREE.matcher(message);
        if (!free.matches()) {
          cutCount++;
        } else if (isChosen(free.group(1))) {
          free(address(free.group(2)), time(line), place);
        }
      } else if (message.startsWith("DeallocateRaw ")) {
        freeLines++;
      } else if (message.startsWith("Extending ")) {
        Matcher extend = EXTEND.matcher(message);
        extended.put(thread(line), extend.matches() ? extend.group(1) : "");
      } else if (message.startsWith("Allocated memory at ")) {
        Matcher region = REGION.matcher(message);
        if (allocator.equals(extended.remove(thread(line))) && region.matches()) {
          addRegion(address(region.group(1)), address(region.group(2)), place);
        }
      }
    }

    /** {@return the microseconds since the first line with a time; 0 if the line has none} */
    private long time(String line) {
      Matcher matcher = TIME.matcher(line);
      if (!matcher.lookingAt()) {
        return 0;
      }
      long micros = micros(matcher);
      startMicros = startMicros < 0 ? micros : startMicros;
      return micros - startMicros;
    }

    private static long micros(Matcher line) {
      long seconds =
          Long.parseLong(line.group(1)) * 3600
              + Long.parseLong(line.group(2)) * 60
              + Long.parseLong(line.group(3));
      return seconds * 1_000_000 + Long.parseLong(line.group(4));
    }

    private static long address(String digits) {
      return Long.parseUnsignedLong(digits, 16);
    }

    private boolean isChosen(String name) {
      if (name.equals(allocator)) {
        count++;
        return true;
      }
      others.merge(name, 1L, Long::sum);
      return false;
    }

    private void addRegion(long start, long end, String place) throws MalformedFileException {
      if (start < 0 || end - start <= 0 || end > MOST_ADDRESS) {
        events.refuse(
            place,
            String.format(
                Locale.ROOT,
                "has a region from 0x%x to 0x%x, expected one below 0x%x",
                start,
                end,
                MOST_ADDRESS));
        return;
      }
      chunks.addRegion(start, end);
      events.region(start, end - start);
    }

    /** {@return the number of the thread that wrote a line} */
    private static String thread(String line) {
      return line.substring(0, line.indexOf(FILE)).strip().replaceFirst(".* ", "");
    }

    private void free(long address, long time, String place) {
      freeCount++;
      OptionalLong end = chunks.end(address);
      chunks.free(address);
      late.add(new LateFree(address, end.orElse(address), time, place));
    }

    private void allocate(Matcher line, long time, String place) throws MalformedFileException {
      OptionalLong bytes = NumberFields.whole(line.group(2));
      if (bytes.isEmpty()) {
        events.refuse(place, NumberFields.notBytes("size", line.group(2)));
        return;
      }
      long address = address(line.group(3));
      if (allocations.isLive(new Address(address))) {
        checkFrees();
      }
      List<LateFree> moved = moved(bytes.getAsLong(), address);
      late.removeAll(moved);
      passFrees();
      chunks.take(address, bytes.getAsLong());
      events.address(address);
      allocations.allocate(
          new Address(address),
          place,
          id -> new AllocationEvent.Allocate(id, bytes.getAsLong(), 0, time));
      movedCount += moved.size();
      for (LateFree free : moved) {
        chunks.free(free.address());
        late.add(free);
      }
    }

    /** Rejects a log with a lower level, whose frees have no addresses. */
    private void checkFrees() throws MalformedFileException {
      if (freeCount == 0 && freeLines > 0) {
        throw new MalformedFileException(
            source,
            "has frees without addresses, expected lines [mem-debug] DeallocateRaw, which"
                + " TF_CPP_VMODULE=bfc_allocator=4 with TF_CPP_MAX_VLOG_LEVEL=4 writes");
      }
    }

    /** Takes back the frees that an allocation shows to be later, and {@return them} */
    private List<LateFree> moved(long bytes, long address) {
      List<LateFree> moved = new ArrayList<>();
      for (int i = late.size() - 1; i >= 0; i--) {
        if (chunks.place(bytes).equals(OptionalLong.of(address))) {
          return necessary(moved, bytes, address);
        }
        LateFree free = late.get(i);
        if (free.end() > free.address()) {
          chunks.undoFree(free.address(), free.end());
          moved.addFirst(free);
        }
      }
      if (chunks.place(bytes).equals(OptionalLong.of(address))) {
        return necessary(moved, bytes, address);
      }
      moved.forEach(free -> chunks.free(free.address()));
      return List.of();
    }

    /** Frees again what may be free before an allocation, and {@return the other frees} */
    private List<LateFree> necessary(List<LateFree> moved, long bytes, long address) {
      List<LateFree> necessary = new ArrayList<>();
      for (LateFree free : moved) {
        chunks.free(free.address());
        if (!chunks.place(bytes).equals(OptionalLong.of(address))) {
          chunks.undoFree(free.address(), free.end());
          necessary.add(free);
        }
      }
      return necessary;
    }

    private void passFrees() throws MalformedFileException {
      for (LateFree free : late) {
        allocations.free(new Address(free.address()), 0, free.time(), free.place());
      }
      late.clear();
    }

    void end() throws MalformedFileException {
      passFrees();
      if (count == 0) {
        throw new MalformedFileException(
            source,
            "has no allocation of "
                + allocator
                + (others.isEmpty()
                    ? ", nor of another allocator"
                    : ", expected one of these allocators: " + String.join(", ", others.keySet())));
      }
      checkFrees();
      if (cutCount > 0) {
        events.note(
            String.format(
                Locale.ROOT,
                "%d %s not complete, and %s skipped",
                cutCount,
                cutCount == 1 ? "line is" : "lines are",
                cutCount == 1 ? "was" : "were"));
      }
      if (movedCount > 0) {
        events.note(
            String.format(
                Locale.ROOT,
                "%d %s moved behind the allocation that follows: the line of a free is written"
                    + " before it takes place",
                movedCount,
                movedCount == 1 ? "free was" : "frees were"));
      }
      if (!others.isEmpty()) {
        events.note(
            "other allocators of the log were not read: " + String.join(", ", others.keySet()));
      }
    }
  }
}
