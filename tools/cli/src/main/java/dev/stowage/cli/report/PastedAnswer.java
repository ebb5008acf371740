package dev.stowage.cli.report;

import dev.stowage.cli.pasted.PastedMemory;
import dev.stowage.cli.pasted.PastedVerdict;
import dev.stowage.cli.text.ProductVersion;
import dev.stowage.pages.text.Conclusion;
import dev.stowage.pages.text.Printable;
import dev.stowage.process.MemoryByOwner;
import dev.stowage.process.NativeTracking;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The memory in pasted texts. */
public final class PastedAnswer {

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
      answer.field("resident_bytes", Figure.orNull(pasted.residentBytes()));
      answer.groups(
          "parts",
          List.copyOf(parts(pasted).entrySet()),
          (part, each) -> each.field("owner", part.getKey()).field("bytes", part.getValue()));
      answer
          .field("arenas", Figure.texts(List.of()))
          .field("findings", Figure.texts(List.of()))
          .field("cgroup", new Figure.Null())
          .field("limit_bytes", Figure.orNull(pasted.limitBytes()));
    }
    NativeTracking.Amount committed = pasted.tracking().total().committed();
    answer.field(
        "committed_bytes", committed.isKnown() ? Figure.bytes(committed.bytes()) : Figure.none());
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

  /** {@return the bytes by owner, which add up to the resident bytes; none if the text has none} */
  private static Map<String, Long> parts(PastedMemory pasted) {
    Map<String, Long> parts = new LinkedHashMap<>(pasted.parts());
    long sum = parts.values().stream().mapToLong(Long::longValue).sum();
    long rounding = pasted.residentBytes().orElse(sum) - sum;
    if (!parts.isEmpty() && rounding != 0) {
      parts.put("rounding", rounding);
    }
    return parts;
  }
}
