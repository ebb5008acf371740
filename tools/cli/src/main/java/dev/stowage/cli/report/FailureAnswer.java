package dev.stowage.cli.report;

import dev.stowage.cli.failure.ExplainedFailure;
import dev.stowage.cli.failure.FailureChanges;
import dev.stowage.cli.failure.FailureNumbers;
import dev.stowage.cli.failure.FailurePart;
import dev.stowage.cli.failure.PrintedBytes;
import dev.stowage.cli.text.ProductVersion;
import dev.stowage.pages.text.Printable;
import java.util.Locale;
import java.util.Optional;

/** The explanation of a failure. */
public final class FailureAnswer {

  private final ExplainedFailure explained;
  private final FailureNumbers numbers;
  private final Answer answer = new Answer();

  private FailureAnswer(ExplainedFailure explained) {
    this.explained = explained;
    numbers = explained.failure().numbers();
  }

  /** {@return the answer} */
  public static Answer of(ExplainedFailure explained) {
    FailureAnswer made = new FailureAnswer(explained);
    made.addLines();
    made.addFields();
    return made.answer;
  }

  private void addLines() {
    answer.line("%s: %s", Printable.of(explained.input()), Printable.of(explained.sentence()));
    boolean isText = !explained.failure().kind().equals(ExplainedFailure.RECORDING);
    if (explained.count() > 1 && isText) {
      answer.line("The text has %d failures; this is the last one.", explained.count());
    }
    addNumbers();
    if (!explained.changes().remedies().isEmpty()) {
      answer.line("%nChanges that can help:");
      explained.changes().remedies().forEach(this::add);
    }
    if (!explained.changes().useless().isEmpty()) {
      answer.line("%nChanges that cannot help:");
      explained
          .changes()
          .useless()
          .forEach(useless -> answer.line("- %s: %s", useless.text(), useless.why()));
    }
    if (!explained.record().isEmpty()) {
      answer.line("%nTo record who holds the memory:");
      explained.record().forEach(line -> answer.line("  %s", line));
    }
  }

  private void addNumbers() {
    Facts facts = new Facts("NUMBER", "bytes");
    numbers
        .all()
        .forEach((part, bytes) ->
            add(part.label(), Optional.of(bytes).filter(_ -> !part.label().isEmpty()), facts));
    add(
        "held by others (derived)",
        numbers
            .get(FailurePart.OTHERS)
            .filter(_ -> numbers.given(FailurePart.BELOW_LIMIT).isEmpty()),
        facts);
    add(
        "missing (derived)",
        missing().filter(_ -> numbers.given(FailurePart.MISSING).isEmpty()),
        facts);
    if (!numbers.all().isEmpty()) {
      answer.facts(facts);
    }
  }

  private static void add(String label, Optional<PrintedBytes> bytes, Facts facts) {
    bytes.ifPresent(shown -> facts.row("", label, Figure.text(shown.shown())));
  }

  private Optional<PrintedBytes> missing() {
    return numbers.get(FailurePart.MISSING).filter(_ -> !explained.isSimulated());
  }

  private void add(FailureChanges.Remedy remedy) {
    answer.line("- %s %s", remedy.text(), remedy.why());
    if (!remedy.paste().isEmpty()) {
      answer.line("    %s", remedy.paste());
    }
  }

  private void addFields() {
    answer
        .field("input", explained.input())
        .field("program", explained.failure().program().name().toLowerCase(Locale.ROOT))
        .field("kind", explained.failure().kind())
        .field("verdict", explained.verdict().word())
        .field("sentence", explained.sentence())
        .field("failures", explained.count())
        .field("requested_bytes", bytes(numbers.get(FailurePart.REQUESTED)))
        .field("missing_bytes", bytes(missing()))
        .field(
            "free_bytes",
            bytes(
                numbers.get(FailurePart.DEVICE_FREE).or(() -> numbers.get(FailurePart.AVAILABLE))))
        .field("cached_bytes", bytes(numbers.get(FailurePart.CACHED)))
        .field("largest_hole_bytes", bytes(numbers.get(FailurePart.LARGEST_HOLE)))
        .field("other_bytes", bytes(numbers.get(FailurePart.OTHERS)))
        .field("limit_bytes", bytes(numbers.get(FailurePart.LIMIT)))
        .groups(
            "remedies",
            explained.changes().remedies(),
            (remedy, group) ->
                group
                    .field("text", remedy.text())
                    .field(
                        "paste",
                        Figure.orNull(
                            Optional.of(remedy.paste())
                                .filter(paste -> !paste.isEmpty())
                                .map(Figure::text)))
                    .field("why", remedy.why()))
        .groups(
            "useless",
            explained.changes().useless(),
            (useless, group) -> group.field("text", useless.text()).field("why", useless.why()))
        .field("record", Figure.texts(explained.record()))
        .field("next", explained.next())
        .field("version", Figure.text(ProductVersion.find()));
  }

  /** {@return a number, or null if it is not known or larger than any memory} */
  private static Figure bytes(Optional<PrintedBytes> number) {
    return Figure.orNull(
        number
            .map(PrintedBytes::bytes)
            .filter(bytes -> bytes < Long.MAX_VALUE / 8)
            .map(bytes -> Figure.count(bytes)));
  }
}
