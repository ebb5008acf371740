package dev.stowage.cli.report;

import dev.stowage.cli.replay.ComparedTrace;
import dev.stowage.cli.text.DifferenceText;
import dev.stowage.pages.CurveChart;
import dev.stowage.pages.CurveChart.Curve;
import dev.stowage.pages.FiguresPage;
import dev.stowage.pages.history.Steps;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Text;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** The curves of two compared recordings over their events. */
final class TraceCurves {

  /** The number of positions of a curve; each has the largest value of its events. */
  private static final int MAX_PLACES = 512;

  private TraceCurves() {}

  /** Adds the curves, unless one of the recordings has no events. */
  static void add(ComparedTrace a, ComparedTrace b, FiguresPage page) {
    Optional<CurveChart> first = chart(a);
    Optional<CurveChart> second = chart(b);
    if (first.isEmpty() || second.isEmpty()) {
      return;
    }
    long top = Math.max(first.get().mostBytes(), second.get().mostBytes());
    page.addHeading(caption("A", a, b));
    page.add(first.get().withTop(top));
    page.addHeading(caption("B", b, a));
    page.add(second.get().withTop(top));
    page.addText(
        "Both curves have the same scale of bytes. The dashed line is the compared moment. Reserved bytes are those of "
            + origins(a, b)
            + ".");
  }

  /** {@return the origins of the reserved bytes of two recordings} */
  static String origins(ComparedTrace a, ComparedTrace b) {
    String ofA = a.reserved().orElseThrow().origin();
    String ofB = b.reserved().orElseThrow().origin();
    return ofA.equals(ofB) ? ofA : ofA + " (A) and " + ofB + " (B)";
  }

  private static String caption(String name, ComparedTrace trace, ComparedTrace other) {
    return Text.of(
        "%s: %s, %s",
        name,
        DifferenceText.name(trace.input(), other.input()),
        Numbers.count(trace.drawn().orElseThrow().eventCount(), "event"));
  }

  private static Optional<CurveChart> chart(ComparedTrace trace) {
    if (trace.drawn().isEmpty() || trace.drawn().get().eventCount() == 0) {
      return Optional.empty();
    }
    ComparedTrace.Drawn drawn = trace.drawn().get();
    long count = drawn.eventCount();
    long step = Math.ceilDiv(count, MAX_PLACES);
    List<Long> places = new ArrayList<>();
    List<String> titles = new ArrayList<>();
    for (long event = 1; event <= count; event += step) {
      long last = Math.min(count, event + step - 1);
      places.add(event);
      titles.add(
          event == last
              ? "event " + Numbers.grouped(event)
              : Text.of("largest of events %,d to %,d", event, last));
    }
    return Optional.of(
        new CurveChart(
            "events",
            places,
            titles,
            List.of(
                new Curve(
                    "requested bytes in use",
                    "load",
                    largest(drawn.curves().requestedBytes(), places, step)),
                new Curve(
                    "reserved bytes",
                    "bound",
                    largest(drawn.curves().reservedBytes(), places, step))),
            0,
            OptionalLong.of(Math.max(1, trace.event()))));
  }

  /** {@return the largest value of a curve in the events from each position on} */
  private static List<Long> largest(Steps<Long> curve, List<Long> places, long step) {
    List<Long> values = new ArrayList<>();
    List<Steps.Step<Long>> steps = curve.steps();
    int next = 0;
    long held = 0; // since the last step
    for (long place : places) {
      while (next < steps.size() && steps.get(next).event() <= place) {
        held = steps.get(next++).value();
      }
      long most = held;
      while (next < steps.size() && steps.get(next).event() < place + step) {
        held = steps.get(next++).value();
        most = Math.max(most, held);
      }
      values.add(most);
    }
    return values;
  }
}
