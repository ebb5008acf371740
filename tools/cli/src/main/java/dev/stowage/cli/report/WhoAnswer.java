package dev.stowage.cli.report;

import dev.stowage.cli.text.ProductVersion;
import dev.stowage.cli.text.ShellLine;
import dev.stowage.pages.Page;
import dev.stowage.pages.PartBars;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Conclusion;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Printable;
import dev.stowage.process.CgroupMemory;
import dev.stowage.process.MallocArena;
import dev.stowage.process.MemoryByOwner;
import dev.stowage.process.MemoryFinding;
import dev.stowage.process.OwnedMemory;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;

/** The resident memory of a process, by owner. */
public final class WhoAnswer {

  private static final long LEAST_DETAIL_BYTES = 1 << 20;

  private WhoAnswer() {}

  /**
   * {@return the answer}
   *
   * @param conclusion the first sentences for people, with the first finding
   * @param limitBytes the limit of the process by a text; empty for the limit of its control group
   */
  public static Answer of(MemoryByOwner memory, Conclusion conclusion, OptionalLong limitBytes) {
    Answer answer = new Answer().conclusion(subject(memory), conclusion);
    memory.findings().stream().limit(1).forEach(finding -> addRemedies(finding, answer));
    answer
        .field("pid", memory.pid())
        .field("command", memory.command())
        .field("resident_bytes", memory.residentBytes())
        .field("collector", Figure.text(memory.collector()))
        .groups("parts", memory.parts(), WhoAnswer::add)
        .groups("arenas", memory.arenas(), WhoAnswer::add)
        .picture(page -> addBar(memory, page))
        .facts(facts(memory));
    answer.groups("findings", memory.findings(), WhoAnswer::add);
    for (MemoryFinding finding : memory.findings().stream().skip(1).toList()) {
      answer.line("%n%s", Printable.of(finding.sentence()));
      addRemedies(finding, answer);
    }
    memory.cgroup().ifPresent(group -> answer.group("cgroup", each -> add(group, each)));
    return answer
        .field(
            "limit_bytes", Figure.bytes(limitBytes.isPresent() ? limitBytes : limitBytes(memory)))
        .field("version", Figure.text(ProductVersion.find()));
  }

  /** Adds a bar of the owners to a page, with the limit of the control group. */
  private static void addBar(MemoryByOwner memory, Page page) {
    page.add(
        new PartBars(
            memory.parts().stream().map(part -> part.owner().title()).toList(),
            List.of(
                new PartBars.Bar(
                    "resident", memory.parts().stream().map(OwnedMemory::bytes).toList())),
            limitBytes(memory)));
  }

  /** {@return the limit of the control group, if the process has one} */
  static OptionalLong limitBytes(MemoryByOwner memory) {
    return memory.cgroup().map(CgroupMemory::limitBytes).orElse(OptionalLong.empty());
  }

  private static void add(OwnedMemory part, Answer answer) {
    answer
        .field("owner", part.owner().name().toLowerCase(Locale.ROOT))
        .field("bytes", part.bytes())
        .field("estimate", part.isEstimate())
        .groups(
            "details",
            part.details(),
            (detail, each) -> each.field("name", detail.name()).field("bytes", detail.bytes()));
  }

  private static void add(MallocArena arena, Answer answer) {
    answer
        .field("number", arena.number())
        .field("bytes", arena.bytes())
        .field("free_bytes", arena.freeBytes());
  }

  /** {@return the subject of the answer, such as {@code Process 7, java}} */
  static String subject(MemoryByOwner memory) {
    return "Process " + memory.pid() + ", " + Printable.of(memory.command());
  }

  private static void addRemedies(MemoryFinding finding, Answer answer) {
    for (MemoryFinding.Remedy remedy : finding.remedies()) {
      String when = remedy.needsRestart() ? "At the next start" : "Now";
      String advice = remedy.advice().isEmpty() ? "" : ", " + Printable.of(remedy.advice());
      answer.copy("  " + when + advice + ":", "    " + ShellLine.asStarted(remedy.setting()));
    }
  }

  private static void add(MemoryFinding finding, Answer answer) {
    answer
        .field("owner", finding.owner().name().toLowerCase(Locale.ROOT))
        .field("text", finding.sentence())
        .field("bytes", finding.bytes())
        .field(
            "remedy",
            Figure.text(
                finding.remedies().stream()
                    .findFirst()
                    .map(remedy -> ShellLine.asStarted(remedy.setting()))))
        .groups(
            "remedies",
            finding.remedies(),
            (remedy, each) ->
                each.field("setting", ShellLine.asStarted(remedy.setting()))
                    .field("advice", remedy.advice())
                    .field("needs_restart", remedy.needsRestart()));
  }

  private static Facts facts(MemoryByOwner memory) {
    Facts facts = new Facts("OWNER", "bytes", "", "of resident");
    for (OwnedMemory part : memory.parts()) {
      facts.bytes(
          "",
          part.owner().title() + (part.isEstimate() ? " ~" : ""),
          part.bytes(),
          new Figure.Share(part.bytes() / (double) memory.residentBytes()));
      part.details().stream()
          .filter(detail -> detail.bytes() >= LEAST_DETAIL_BYTES)
          .forEach(detail -> facts.bytes("", "  " + Printable.of(detail.name()), detail.bytes()));
    }
    return facts.bytes("", "resident", memory.residentBytes(), new Figure.Share(1));
  }

  private static void add(CgroupMemory group, Answer answer) {
    OptionalLong limit = group.limitBytes();
    answer
        .field("limit_bytes", Figure.orNull(limit))
        .field("used_bytes", group.usedBytes())
        .line(
            limit.isPresent()
                ? "%nThe control group uses %s of its limit of %s (%s)."
                : "%nThe control group uses %s and has no limit.",
            ByteUnit.exact(group.usedBytes()),
            ByteUnit.exact(limit.orElse(0)),
            Numbers.percent(group.usedBytes(), limit.orElse(0)));
    group
        .parts()
        .forEach(part -> answer.field(part.name().replace(' ', '_') + "_bytes", part.bytes()));
  }
}
