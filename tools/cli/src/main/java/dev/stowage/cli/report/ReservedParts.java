package dev.stowage.cli.report;

import dev.stowage.cli.replay.ReplayReport;
import dev.stowage.pages.text.Printable;
import dev.stowage.pages.text.Text;
import dev.stowage.trace.explain.ReservedExplanation;
import dev.stowage.trace.pytorch.PoolId;
import dev.stowage.trace.replay.ReservedMemory;
import dev.stowage.trace.replay.ReservedMemory.PoolUse;
import dev.stowage.trace.replay.ReservedPart;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The reserved memory at a moment of a replay, by reason and by pool. */
final class ReservedParts {

  /** More are for programs: JSON has them all. */
  private static final int MAX_POOLS = 20;

  private final ReservedMemory memory;
  private final ReservedRemedies remedies;
  private final long reservedBytes;
  private final Answer answer;

  private ReservedParts(
      ReservedExplanation explanation, long reservedBytes, ReplayReport report, Answer answer) {
    memory = explanation.memory();
    remedies =
        new ReservedRemedies(report.allocator(), explanation, report.result().failures() > 0);
    this.reservedBytes = reservedBytes;
    this.answer = answer;
  }

  /** Adds the parts of the reserved bytes, and the pools. */
  static void add(
      ReservedExplanation explanation, long reservedBytes, ReplayReport report, Answer answer) {
    ReservedParts parts = new ReservedParts(explanation, reservedBytes, report, answer);
    parts.addParts();
    parts.addPools();
  }

  private void addParts() {
    answer
        .field("held_bytes", memory.requestedBytes())
        .groups(
            "reserved_parts",
            Arrays.asList(ReservedPart.values()),
            (part, group) ->
                group
                    .field("part", name(part))
                    .field("bytes", memory.bytes(part))
                    .field("remedy", Figure.text(remedy(part))));
    if (reservedBytes == memory.requestedBytes()) {
      return;
    }
    Facts facts = new Facts("RESERVED", "bytes", "", "of reserved");
    boolean hasPending = memory.bytes(ReservedPart.PENDING_FREES) > 0;
    addRow(hasPending ? "requested, not freed" : "requested", memory.requestedBytes(), facts);
    for (ReservedPart part : ReservedPart.values()) {
      if (memory.bytes(part) > 0) {
        addRow(label(part), memory.bytes(part), facts);
      }
    }
    addRow("reserved", reservedBytes, facts);
    answer.facts(facts);
    for (ReservedPart part : ReservedPart.values()) {
      remedy(part)
          .ifPresent(sentence -> answer.line("  %s: %s", label(part), Printable.of(sentence)));
    }
  }

  private Optional<String> remedy(ReservedPart part) {
    return memory.bytes(part) > 0 ? remedies.of(part) : Optional.empty();
  }

  private static String name(ReservedPart part) {
    return part.name().toLowerCase(Locale.ROOT);
  }

  private static String label(ReservedPart part) {
    return name(part).replace('_', ' ');
  }

  private void addRow(String label, long bytes, Facts facts) {
    facts.bytes("", label, bytes, new Figure.Share(bytes / (double) reservedBytes));
  }

  private void addPools() {
    List<PoolUse> pools = memory.pools();
    Table<PoolUse> table = Table.named("pools", pools);
    if (!pools.isEmpty()) {
      table
          .onTerminal(
              pools.stream()
                  .sorted(Comparator.comparingLong(PoolUse::reservedBytes).reversed())
                  .limit(MAX_POOLS)
                  .toList())
          .text("pool", "BY POOL", pool -> name(pool.lane().pool()))
          .data("stream", pool -> Figure.count(pool.lane().stream()))
          .text("", "stream", pool -> Long.toUnsignedString(pool.lane().stream()))
          .text("kind", "blocks", pool -> pool.lane().isSmall() ? "small" : "large")
          .inUnit("reserved_bytes", "reserved", PoolUse::reservedBytes)
          .inUnit("in_use_bytes", "in use", PoolUse::inUseBytes)
          .inUnit("requested_bytes", "requested", PoolUse::requestedBytes);
    }
    answer.table(table);
  }

  private static String name(PoolId pool) {
    return pool.isPrivate() ? Text.of("(%d, %d)", pool.graph(), pool.user()) : "default";
  }
}
