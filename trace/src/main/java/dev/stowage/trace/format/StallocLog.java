package dev.stowage.trace.format;

import dev.stowage.plan.MalformedFileException;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * The log {@code mem_log_dev0.txt} of STAlloc: lines {@code 1 pointer bytes stream} for allocations
 * and {@code 0 pointer bytes stream} for frees, in hexadecimal except for the bytes.
 *
 * <p>Lines between them, such as {@code Iteration Index : 0}, mark phases of training. They are
 * skipped.
 */
final class StallocLog implements TraceFormat {

  private static final Pattern EVENT = Pattern.compile("[01] +0[xX]\\p{XDigit}+ +\\d+ +\\w+ *");
  private static final Pattern MARK = Pattern.compile("[^\\d\\s][^:]*:[^:]*");
  private static final Pattern SPACES = Pattern.compile(" +");

  @Override
  public String name() {
    return "stalloc";
  }

  @Override
  public String description() {
    return "STAlloc";
  }

  @Override
  public boolean matches(String head) {
    return head.lines()
        .filter(line -> !MARK.matcher(line).matches())
        .findFirst()
        .filter(line -> EVENT.matcher(line).matches())
        .isPresent();
  }

  @Override
  public TraceSummary read(TraceContent content, CheckedEvents events) throws IOException {
    KeyedEvents<Address> allocations = new KeyedEvents<>(events);
    content.forEachLine(
        events,
        (line, place) -> {
          if (!MARK.matcher(line).matches()) {
            readEvent(line, place, events, allocations);
          }
        });
    events.note("the log has no times and no call stacks");
    return events.summary(name());
  }

  private static void readEvent(
      String line, String place, CheckedEvents events, KeyedEvents<Address> allocations)
      throws MalformedFileException {
    String[] fields = SPACES.split(line.strip(), -1);
    if (fields.length != 4) {
      events.refuse(
          place,
          "is '"
              + MalformedFileException.excerpt(line)
              + "', expected 1 or 0, pointer, bytes and"
              + " stream");
      return;
    }
    Optional<Address> pointer = Address.of(fields[1]);
    OptionalLong bytes = NumberFields.whole(fields[2]);
    Optional<Address> stream = Address.of(fields[3]);
    boolean isAllocation = fields[0].equals("1");
    if (!isAllocation && !fields[0].equals("0")) {
      events.refuse(
          place,
          "starts with '"
              + MalformedFileException.excerpt(fields[0])
              + "', expected 1 (allocates) or 0 (frees)");
    } else if (pointer.isEmpty()) {
      events.refuse(place, NumberFields.notHexadecimal("pointer", fields[1]));
    } else if (bytes.isEmpty() || bytes.getAsLong() < 0) {
      events.refuse(place, NumberFields.notBytes("bytes", fields[2]));
    } else if (stream.isEmpty()) {
      events.refuse(place, NumberFields.notHexadecimal("stream", fields[3]));
    } else if (isAllocation) {
      allocations.allocate(
          pointer.get(),
          place,
          id -> new AllocationEvent.Allocate(id, bytes.getAsLong(), stream.get().value(), 0));
    } else {
      allocations.free(pointer.get(), stream.get().value(), 0, place);
    }
  }
}
