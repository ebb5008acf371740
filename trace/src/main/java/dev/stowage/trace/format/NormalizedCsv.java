package dev.stowage.trace.format;

import dev.stowage.plan.MalformedFileException;
import java.util.Locale;
import java.util.OptionalLong;

/**
 * The format {@code op,id,bytes,stream,t}, in which {@code a} allocates, {@code f} frees, {@code x}
 * is a request that failed, and {@code n} is a note: its id is a reason why a replay is an
 * estimate.
 *
 * <p>Stream and time may be empty. The bytes of a free are ignored.
 */
final class NormalizedCsv implements FieldsReader {

  static final TraceFormat FORMAT =
      new HeaderFormat(
          "csv", "CSV (op,id,bytes,stream,t)", "op,id,bytes,stream,t", NormalizedCsv::new);

  private final CheckedEvents events;

  private NormalizedCsv(CheckedEvents events) {
    this.events = events;
  }

  @Override
  public void read(String[] fields, String place) throws MalformedFileException {
    String op = fields[0];
    String id = fields[1];
    OptionalLong stream = fields[3].isEmpty() ? OptionalLong.of(0) : NumberFields.whole(fields[3]);
    OptionalLong time = fields[4].isEmpty() ? OptionalLong.of(0) : NumberFields.whole(fields[4]);
    if (!op.equals("a") && !op.equals("f") && !op.equals("x") && !op.equals("n")) {
      events.refuse(
          place,
          String.format(
              Locale.ROOT,
              "has op '%s', expected a, f, x or n",
              MalformedFileException.excerpt(op)));
    } else if (id.isEmpty()) {
      events.refuse(place, "has no id");
    } else if (stream.isEmpty()) {
      events.refuse(place, NumberFields.notWhole("stream", fields[3]));
    } else if (time.isEmpty()) {
      events.refuse(place, NumberFields.notWhole("t", fields[4]));
    } else if (op.equals("n")) {
      events.doubt(id);
    } else if (op.equals("f")) {
      events.pass(new AllocationEvent.Free(id, stream.getAsLong(), time.getAsLong()), place);
    } else {
      OptionalLong bytes = NumberFields.whole(fields[2]);
      if (bytes.isEmpty() || bytes.getAsLong() < 0) {
        events.refuse(place, NumberFields.notBytes("bytes", fields[2]));
      } else {
        AllocationEvent.Allocate request =
            new AllocationEvent.Allocate(
                id, bytes.getAsLong(), stream.getAsLong(), time.getAsLong());
        events.pass(op.equals("x") ? new AllocationEvent.Fail(request) : request, place);
      }
    }
  }
}
