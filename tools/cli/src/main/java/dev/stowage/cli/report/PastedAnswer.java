package dev.stowage.cli.report;

import dev.stowage.cli.pasted.PastedMemory;
import dev.stowage.cli.pasted.PastedMemory.Resident;
import dev.stowage.cli.pasted.PastedVerdict;
import dev.stowage.cli.text.ProductVersion;
import dev.stowage.pages.text.Conclusion;
import dev.stowage.pages.text.Printable;
import dev.stowage.process.MemoryByOwner;
import dev.stowage.process.NativeTracking.Purpose;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The memory in pasted texts. */
public final class PastedAnswer {

  private record Part(String owner, long bytes) {}

  private PastedAnswer() {}

  /**
   * {@return the answer}
   *
   * @param memory the owners of the resident memory; empty if the texts do not have all mappings
   * @param missing the texts that are missing
   */
  public static Answer of(
      PastedMemory pasted,
      Optional<MemoryByOwner> memory,
      Conclusion conclusion,
      List<PastedVerdict.Missing> missing) {
    Answer answer = new Answer();
    if (memory.isPresent()) {
      answer.all(WhoAnswer.of(memory.get(), conclusion, pasted.limitBytes()));
    } else {
      answer.conclusion("", conclusion);
      answer.field("pid", new Figure.Null()).field("command", new Figure.Null());
      answer.field(
          "resident_bytes", Figure.orNull(pasted.resident().map(it -> Figure.bytes(it.bytes()))));
      List<Part> parts = pasted.resident().map(PastedAnswer::parts).orElse(List.of());
      answer.groups(
          "parts",
          parts,
          (part, each) -> each.field("owner", part.owner()).field("bytes", part.bytes()));
      pasted.resident().ifPresent(resident -> answer.facts(facts(resident, parts)));
      answer
          .field("arenas", Figure.texts(List.of()))
          .field("findings", Figure.texts(List.of()))
          .field("cgroup", new Figure.Null())
          .field("limit_bytes", Figure.orNull(pasted.limitBytes()));
    }
    addTracking(pasted, answer);
    answer.groups(
        "missing",
        missing,
        (text, each) -> each.field("what", text.figure()).field("command", text.command()));
    for (PastedVerdict.Missing text : missing) {
      answer.line(
          "Not in the texts: %s. %s prints it.", text.figure(), Printable.of(text.command()));
    }
    return memory.isPresent()
        ? answer
        : answer.field("version", Figure.text(ProductVersion.find()));
  }

  /** {@return parts that add up to the resident bytes; none if the text has none} */
  private static List<Part> parts(Resident resident) {
    List<Part> parts = new ArrayList<>();
    resident.parts().forEach((owner, bytes) -> parts.add(new Part(owner, bytes)));
    long difference = resident.bytes() - parts.stream().mapToLong(Part::bytes).sum();
    if (!parts.isEmpty() && difference != 0) {
      parts.add(new Part("rounding", difference));
    }
    return parts;
  }

  private static Facts facts(Resident resident, List<Part> parts) {
    Facts facts = new Facts("OWNER", "bytes", "", "of resident");
    for (Part part : parts) {
      facts.bytes(
          "",
          part.owner().replace('_', ' '),
          part.bytes(),
          new Figure.Share(part.bytes() / (double) Math.max(1, resident.bytes())));
    }
    return facts.bytes("", "resident", resident.bytes(), new Figure.Share(1));
  }

  private static void addTracking(PastedMemory pasted, Answer answer) {
    Purpose total = pasted.tracking().total();
    answer.field("committed_bytes", bytes(total));
    answer.groups(
        "committed",
        pasted.tracking().purposes(),
        (purpose, each) ->
            each.field("purpose", purpose.name())
                .field("bytes", bytes(purpose))
                .field("growth_bytes", purpose.committed().growthBytes()));
    if (!total.committed().isKnown()) {
      return;
    }
    Facts facts = new Facts("PURPOSE", "bytes", "", "of committed");
    long listed = 0;
    for (Purpose purpose : pasted.tracking().purposes()) {
      listed += purpose.committed().bytes();
      if (purpose.committed().bytes() >= 1 << 20) {
        facts.bytes(
            "", Printable.of(purpose.name()), purpose.committed().bytes(), share(purpose, total));
      }
    }
    long others = total.committed().bytes() - listed;
    if (others != 0) {
      facts.bytes("", others > 0 ? "not in the text" : "rounding", others);
    }
    answer.facts(facts.bytes("", "committed", total.committed().bytes(), new Figure.Share(1)));
  }

  private static Figure.Share share(Purpose purpose, Purpose total) {
    return new Figure.Share(
        purpose.committed().bytes() / (double) Math.max(1, total.committed().bytes()));
  }

  private static Figure bytes(Purpose purpose) {
    return purpose.committed().isKnown()
        ? Figure.bytes(purpose.committed().bytes())
        : Figure.none();
  }
}
