package dev.stowage.trace.format;

import dev.stowage.plan.MalformedFileException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A reader of the lines of an {@link XlaLog}, which passes the events of one allocator on. */
final class XlaLogReader {

  /*
   * A log has requests, or only reports of requests that failed, or both. Requests are passed on as
   * they are read. Without requests, the first report becomes the memory before the first event, and
   * the request that failed becomes the only event.
   */

  /** Addresses of devices have at most 57 bits. */
  private static final long MOST_ADDRESS = 1L << 57;

  /** The least limit of an allocator: one chunk of the smallest size. */
  private static final long LEAST_LIMIT = 256;

  private static final long DAY_MICROS = 24L * 60 * 60 * 1_000_000;

  private static final String CREATED = "Creating new BFCAllocator named: ";
  private static final String NO_ADDRESS = "(?:0x0|0|\\(nil\\)|\\(null\\))";

  private static final Pattern ALLOCATE =
      Pattern.compile("AllocateRaw (\\S+)  (\\d+) 0x(\\p{XDigit}{1,16})");
  private static final Pattern REFUSED =
      Pattern.compile("AllocateRaw (\\S+)  (\\d+) " + NO_ADDRESS);
  private static final Pattern ALIGNED =
      Pattern.compile("AllocateRaw (\\S+) \\d+ alignment=(\\d{1,18})");
  private static final Pattern BEFORE = Pattern.compile("AllocateRaw \\S+  \\d+");
  private static final Pattern FREE =
      Pattern.compile("\\[mem-debug] DeallocateRaw,([^,]+),\\d+,0x(\\p{XDigit}{1,16})(,.*)?");
  private static final Pattern EXTEND =
      Pattern.compile("Extending allocation by .* bytes for (\\S+)\\.");
  private static final Pattern REGION =
      Pattern.compile("Allocated memory at 0x(\\p{XDigit}{1,16}) to 0x(\\p{XDigit}{1,16})");
  private static final Pattern STATISTIC = Pattern.compile("(Limit|InUse|MaxInUse): +(\\d+)\\s*");
  private static final Pattern BACKEND_LIMIT =
      Pattern.compile(
          ".*XLA backend (?:allocating|will use up to) (?:\\S+ \\()?(\\d+) bytes\\)? on device"
              + " (\\d+) for BFCAllocator\\..*");

  private static final Pattern BUFFERS =
      Pattern.compile(
          " *(parameter|constant|maybe_live_out|preallocated temp|total) allocation: +(\\S+)");

  private final String source;
  private final CheckedEvents events;
  private final String allocator;
  private final XlaRequests requests;
  private final XlaReports reports;
  private final XlaProgram program = new XlaProgram();

  /** The allocator that each thread extends. */
  private final Map<String, String> extended = new HashMap<>();

  /** The alignment of the request that each thread makes. */
  private final Map<String, Long> alignments = new HashMap<>();

  /** The names of the other allocators with requests or frees. */
  private final TreeSet<String> others = new TreeSet<>();

  /** The limit in a line of the backend, before all requests. */
  private OptionalLong backendLimit = OptionalLong.empty();

  /** The buffers of the program that failed, as XLA sums them up behind a report. */
  private final List<String> buffers = new ArrayList<>();

  private long startMicros = -1;
  private long lastMicros;
  private long days;

  /** The number of requests, without failed ones that the program did not need. */
  private long requestCount;

  /** The place where another run of the program begins. Its lines are not read. */
  private Optional<String> nextRun = Optional.empty();

  private long freeLines;
  private long freeCount;
  private long cutCount;

  /** The number of lines that announce a request; they have an alignment since 2025. */
  private long alignedCount;

  /** The number of lines without an alignment: lines before a request until 2025, or cut lines. */
  private long beforeCount;

  private long refusedCount;

  XlaLogReader(String source, CheckedEvents events, String allocator) {
    this.source = source;
    this.events = events;
    this.allocator = allocator;
    requests = new XlaRequests(events);
    reports = new XlaReports(allocator);
  }

  /** Reads a line, as {@link TraceContent.LineReader}. */
  void read(String text, String place) throws MalformedFileException {
    if (nextRun.isPresent()) {
      return;
    }
    Optional<XlaLine> line = XlaLine.of(text);
    if (line.isPresent()) {
      program.readLine(line.get());
      read(line.get(), place);
      return;
    }
    program.readOther(text);
    if (text.startsWith("Limit: ") || text.startsWith("InUse: ") || text.startsWith("MaxInUse: ")) {
      Matcher statistic = STATISTIC.matcher(text);
      if (statistic.matches()) {
        NumberFields.whole(statistic.group(2))
            .ifPresent(bytes -> reports.setStatistic(statistic.group(1), bytes));
      }
    } else if (text.contains("XLA backend ")) {
      Matcher limit = BACKEND_LIMIT.matcher(text);
      if (limit.matches() && allocator.equals("GPU_" + limit.group(2) + "_bfc")) {
        OptionalLong bytes = NumberFields.whole(limit.group(1));
        if (bytes.orElse(0) >= LEAST_LIMIT) {
          backendLimit = bytes;
          events.limit(bytes.getAsLong());
        }
      }
    } else if (text.startsWith("of size ")) {
      reports.readRest(text);
    } else {
      Matcher sum = BUFFERS.matcher(text);
      if (sum.matches()) {
        buffers.add(sum.group(1) + " " + sum.group(2));
      }
    }
  }

  private void read(XlaLine line, String place) throws MalformedFileException {
    String message = line.message();
    if (message.startsWith("AllocateRaw ")) {
      readAllocation(line, place);
    } else if (message.startsWith("[mem-debug] ")) {
      if (message.startsWith("DeallocateRaw,", "[mem-debug] ".length())) {
        readFree(line, place);
      }
    } else if (message.startsWith("DeallocateRaw ")) {
      freeLines++;
    } else if (message.startsWith("Extending ")) {
      Matcher extend = EXTEND.matcher(message);
      extended.put(line.thread(), extend.matches() ? extend.group(1) : "");
    } else if (message.startsWith("Allocated memory at ")) {
      Matcher region = REGION.matcher(message);
      if (allocator.equals(extended.remove(line.thread())) && region.matches()) {
        addRegion(address(region.group(1)), address(region.group(2)), place);
      }
    } else if (message.startsWith(CREATED)) {
      if (requestCount > 0 && message.equals(CREATED + allocator)) {
        nextRun = Optional.of(place);
      }
    } else {
      reports.read(line.thread(), message, place);
    }
  }

  private void readAllocation(XlaLine line, String place) throws MalformedFileException {
    Matcher allocate = ALLOCATE.matcher(line.message());
    if (allocate.matches()) {
      if (isChosen(allocate.group(1))) {
        requestCount++;
        requests.allocate(
            bytes(allocate.group(2), place),
            address(allocate.group(3)),
            Objects.requireNonNullElse(alignments.remove(line.thread()), 0L),
            time(line),
            place);
        if (requests.hasImpliedFrees()) {
          checkFrees();
        }
      }
      return;
    }
    Matcher refused = REFUSED.matcher(line.message());
    if (refused.matches()) {
      if (isChosen(refused.group(1))) {
        readRefusal(line, saturated(refused.group(2)), place);
      }
    } else if (line.message().contains("alignment=")) {
      alignedCount++;
      Matcher aligned = ALIGNED.matcher(line.message());
      if (aligned.matches() && aligned.group(1).equals(allocator)) {
        alignments.put(line.thread(), Long.parseLong(aligned.group(2)));
      }
    } else if (BEFORE.matcher(line.message()).matches()) {
      beforeCount++;
    } else {
      cutCount++;
    }
  }

  /** Passes a request on that failed, if the program needs it. */
  private void readRefusal(XlaLine line, long bytes, String place) throws MalformedFileException {
    if (bytes == 0) {
      return; // needs no memory
    }
    Optional<XlaReport> report = reports.take(line.thread(), allocator);
    if (report.isPresent() && report.get().isNeeded()) {
      boolean isWhole = report.get().damage().isEmpty();
      if (isWhole) {
        report.get().usableLimitBytes().ifPresent(events::limit);
      }
      requestCount++;
      requests.fail(
          OptionalLong.of(bytes), isWhole && report.get().isRefusedByDevice(), time(line), place);
    } else {
      refusedCount++;
    }
  }

  private void readFree(XlaLine line, String place) throws MalformedFileException {
    Matcher free = FREE.matcher(line.message());
    if (!free.matches()) {
      cutCount++;
    } else if (isChosen(free.group(1))) {
      freeCount++;
      requests.free(address(free.group(2)), time(line), place);
    }
  }

  /** {@return the bytes of a request that failed, at most 2^63 - 1: some are negative numbers} */
  private static long saturated(String digits) {
    return NumberFields.whole(digits).orElse(Long.MAX_VALUE);
  }

  private OptionalLong bytes(String digits, String place) throws MalformedFileException {
    OptionalLong bytes = NumberFields.whole(digits);
    if (bytes.isEmpty()) {
      events.refuse(place, NumberFields.notBytes("size", digits));
    }
    return bytes;
  }

  /** {@return the microseconds since the first line with a time; 0 if the line has none} */
  private long time(XlaLine line) {
    long micros = line.micros();
    if (micros < 0) {
      return 0;
    }
    if (micros + DAY_MICROS / 2 < lastMicros) {
      days++; // after midnight
    }
    lastMicros = micros;
    startMicros = startMicros < 0 ? micros : startMicros;
    return micros + days * DAY_MICROS - startMicros;
  }

  private static long address(String digits) {
    return Long.parseUnsignedLong(digits, 16);
  }

  private boolean isChosen(String name) {
    if (name.equals(allocator)) {
      return true;
    }
    others.add(name);
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
    requests.addRegion(start, end);
  }

  /** Rejects a log with a lower level: its frees have no addresses. */
  private void checkFrees() throws MalformedFileException {
    if (freeCount == 0 && freeLines > 0) {
      throw new MalformedFileException(
          source,
          "has frees without addresses, expected lines [mem-debug] DeallocateRaw, which"
              + " TF_CPP_VMODULE=bfc_allocator=4 with TF_CPP_MAX_VLOG_LEVEL=4 writes");
    }
  }

  /** Passes the rest on and {@return the summary} */
  TraceSummary end(String format) throws MalformedFileException {
    requests.end();
    Optional<RecordedState> state =
        requestCount == 0 ? Optional.of(passReport()) : Optional.empty();
    checkFrees();
    addNotes();
    events.madeBy(program.found());
    return events.summary(format, state);
  }

  /** Passes the memory of a report and the request that failed on. */
  private RecordedState passReport() throws MalformedFileException {
    XlaReport report = reports.first(allocator).orElseThrow(this::nothing);
    report.end(backendLimit);
    if (report.isPart() && report.heldBytes() == 0) {
      throw nothing();
    }
    if (report.damage().isPresent()) {
      throw new MalformedFileException(
          source,
          report.place(),
          "starts a report that is not complete: "
              + report.damage().get()
              + (buffers.isEmpty()
                  ? ""
                  : "; the program needs these buffers: " + String.join(", ", buffers))
              + "; expected all lines from 'ran out of memory' to 'Stats'");
    }
    reports.noteOn(report, events);
    RecordedMemory memory = report.memory();
    events.memory(memory);
    List<RecordedMemory.Chunk> chunks = memory.chunks();
    for (RecordedMemory.Chunk chunk : chunks) {
      requests.hold(chunk, report.place());
    }
    requests.fail(report.request().bytes(), report.isRefusedByDevice(), 0, report.place());
    return new RecordedState(
        chunks.size(), memory.bytesInUse(), memory.bytes(), Collections.emptySortedMap());
  }

  private MalformedFileException nothing() {
    TreeSet<String> names = new TreeSet<>(others);
    names.addAll(reports.allocators());
    return new MalformedFileException(
        source,
        "has no allocation and no report of "
            + allocator
            + (names.isEmpty()
                ? ", nor of another allocator"
                : ", expected one of these allocators for --device: " + String.join(", ", names))
            + (cutCount == 0
                ? ""
                : "; "
                    + cutCount
                    + (cutCount == 1
                        ? " line of requests is not complete"
                        : " lines of requests are not complete")));
  }

  private void addNotes() {
    nextRun.ifPresent(place ->
        events.note("another run of the program begins at " + place + ", and was not read"));
    events.note(
        cutCount + (alignedCount > 0 ? beforeCount : 0),
        "line is not complete, and was skipped",
        "lines are not complete, and were skipped");
    requests.addNotes();
    events.note(
        refusedCount,
        "request failed that the program did not need, and was skipped",
        "requests failed that the program did not need, and were skipped");
    if (!others.isEmpty()) {
      events.note("other allocators of the log were not read: " + String.join(", ", others));
    }
  }
}
