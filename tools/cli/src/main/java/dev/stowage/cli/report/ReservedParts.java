package dev.stowage.cli.report;

import dev.stowage.cli.replay.ReplayReport;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Text;
import dev.stowage.trace.explain.ReservedExplanation;
import dev.stowage.trace.pytorch.PoolId;
import dev.stowage.trace.pytorch.SegmentLane;
import dev.stowage.trace.replay.ReservedMemory;
import dev.stowage.trace.replay.ReservedMemory.PoolUse;
import dev.stowage.trace.replay.ReservedPart;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** The reserved memory at a moment of a replay, by reason and by pool. */
final class ReservedParts {

  /** More are for programs: JSON has them all. */
  private static final int MAX_POOLS = 20;

  private static final int SENTENCE_WIDTH = 76;

  private final ReservedMemory memory;
  private final ReservedRemedies remedies;
  private final long reservedBytes;
  private final Answer answer;

  private ReservedParts(
      ReservedExplanation explanation, long reservedBytes, ReplayReport report, Answer answer) {
    memory = explanation.memory();
    remedies =
        new ReservedRemedies(
            report.allocator(),
            report.summary().program(),
            explanation,
            report.result().regionBytes().size() == 1,
            report.result().failures() > 0);
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
                    .field("remedy", Figure.text(remedies.of(part))));
    if (reservedBytes == memory.requestedBytes()) {
      return;
    }
    Facts facts = new Facts("RESERVED", "bytes", "", "of reserved");
    boolean hasPending = memory.bytes(ReservedPart.PENDING_FREES) > 0;
    addRow(hasPending ? "requested, not freed" : "requested", memory.requestedBytes(), facts);
    for (ReservedPart part : ReservedPart.values()) {
      if (memory.bytes(part) > 0) {
        addRow(name(part).replace('_', ' '), memory.bytes(part), facts);
        remedies
            .of(part)
            .ifPresent(sentence ->
                SentenceLines.of(sentence, SENTENCE_WIDTH)
                    .forEach(line -> facts.row("", "  " + line)));
      }
    }
    addRow("reserved", reservedBytes, facts);
    answer.facts(facts);
  }

  private static String name(ReservedPart part) {
    return part.name().toLowerCase(Locale.ROOT);
  }

  private void addRow(String label, long bytes, Facts facts) {
    facts.bytes("", label, bytes, new Figure.Share(bytes / (double) reservedBytes));
  }

  private void addPools() {
    List<PoolUse> pools = memory.pools();
    answer.table(
        Table.named("pools", pools)
            .data("pool", pool -> Figure.text(name(pool.lane().pool())))
            .data("stream", pool -> Figure.count(pool.lane().stream()))
            .data("kind", pool -> Figure.text(kind(pool.lane())))
            .data("reserved_bytes", pool -> Figure.bytes(pool.reservedBytes()))
            .data("in_use_bytes", pool -> Figure.bytes(pool.inUseBytes()))
            .data("requested_bytes", pool -> Figure.bytes(pool.requestedBytes())));
    if (pools.isEmpty()) {
      return;
    }
    List<PoolUse> largest =
        pools.stream()
            .sorted(Comparator.comparingLong(PoolUse::reservedBytes).reversed())
            .limit(MAX_POOLS)
            .toList();
    answer.table(
        Table.shown(largest)
            .text("", "BY POOL", pool -> name(pool.lane().pool()))
            .text("", "stream", pool -> Long.toUnsignedString(pool.lane().stream()))
            .text("", "blocks", pool -> kind(pool.lane()))
            .inUnit("", "reserved", PoolUse::reservedBytes)
            .inUnit("", "in use", PoolUse::inUseBytes)
            .inUnit("", "requested", PoolUse::requestedBytes));
    if (pools.size() > MAX_POOLS) {
      long shown = largest.stream().mapToLong(PoolUse::reservedBytes).sum();
      answer.line(
          "  and %s more with %s reserved",
          Numbers.grouped(pools.size() - MAX_POOLS), ByteUnit.exact(reservedBytes - shown));
    }
  }

  private static String name(PoolId pool) {
    return pool.isPrivate() ? Text.of("(%d, %d)", pool.graph(), pool.user()) : "default";
  }

  private static String kind(SegmentLane lane) {
    return lane.isSmall() ? "small" : "large";
  }
}
