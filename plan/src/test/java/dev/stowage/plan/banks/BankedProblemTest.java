package dev.stowage.plan.banks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.ReuseGraph;
import dev.stowage.plan.TensorUsageRecord;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class BankedProblemTest {

  private static final MemoryBank SRAM = MemoryBank.of("sram", 1024).withAlignment(16);
  private static final MemoryBank DRAM = MemoryBank.unlimited("dram").withCost(10);
  private static final PlanProblem RECORDS =
      PlanProblem.of(
          List.of(
              TensorUsageRecord.of(100, 0, 1).withName("conv"), TensorUsageRecord.of(50, 1, 2)));

  private static void assertRejected(ThrowingCallable call, String message) {
    assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class).hasMessage(message);
  }

  @Test
  void bank_wrongValue_isRejected() {
    assertRejected(() -> MemoryBank.of(" ", 1), "a bank must have a name: name=' '");
    assertRejected(() -> MemoryBank.of("sram", 0), "bytes of bank sram must be positive: bytes=0");
    assertRejected(
        () -> SRAM.withAlignment(0), "alignment of bank sram must be positive: alignment=0");
    assertRejected(() -> SRAM.withCost(-1), "cost of bank sram must be 0 or more: cost=-1");
  }

  @Test
  void bank_asText_isAnArgumentOfTheCommand() {
    assertThat(SRAM).hasToString("name=sram,bytes=1024,alignment=16,cost=1");
    assertThat(DRAM).hasToString("name=dram,alignment=1,cost=10");
  }

  @Test
  void of_wrongBanks_isRejected() {
    assertRejected(() -> BankedProblem.of(RECORDS, List.of()), "there must be a bank");
    assertRejected(
        () -> BankedProblem.of(RECORDS, List.of(SRAM, SRAM)),
        "banks must have different names: two are named sram");
    assertRejected(
        () -> BankedProblem.of(RECORDS, List.of(DRAM.withAlignment(Long.MAX_VALUE))),
        "records up to record 0 'conv' need more than 2^63 - 1 bytes: bytes=100, alignment=1, alignment of all records=9223372036854775807");
    assertRejected(
        () ->
            BankedProblem.of(RECORDS.withAlignment(2), List.of(DRAM.withAlignment(Long.MAX_VALUE))),
        "the alignments of bank dram and of all records have no common multiple below 2^63: 9223372036854775807 and 2");
  }

  @Test
  void problemOf_records_hasTheAlignmentsOfTheProblemAndTheBank() {
    PlanProblem inBank = SRAM.problemOf(RECORDS.withAlignment(24), List.of(1));
    assertThat(inBank.records()).containsExactly(RECORDS.records().get(1));
    assertThat(inBank.alignment()).isEqualTo(48);
    assertRejected(
        () -> DRAM.withAlignment(Long.MAX_VALUE).problemOf(RECORDS.withAlignment(2), List.of()),
        "the alignments of bank dram and of all records have no common multiple below 2^63: 9223372036854775807 and 2");
  }

  @Test
  void of_graph_isRejected() {
    PlanProblem withGraph = RECORDS.withReuseGraph(ReuseGraph.ofUsage(new int[][] {{1}, {}}));
    assertRejected(
        () -> BankedProblem.of(withGraph, List.of(SRAM)),
        "a problem with banks must not have a reuse graph");
  }

  private static BankedProblem problem(List<Long> reads, Map<Integer, String> ties) {
    return new BankedProblem(RECORDS, List.of(SRAM, DRAM), reads, ties);
  }

  @Test
  void new_wrongReads_isRejected() {
    assertRejected(
        () -> problem(List.of(1L), Map.of()),
        "there must be one number of reads for each record: reads=1, records=2");
    assertRejected(
        () -> problem(List.of(-1L, 1L), Map.of()),
        "reads of record 0 'conv' must not be negative: reads=-1");
    assertRejected(
        () -> problem(List.of(1L, Long.MAX_VALUE / 500), Map.of()),
        "the cost of all records exceeds 2^63 - 1: bytes written and read=922337203685477800, largest cost of a bank=10");
  }

  @Test
  void new_unknownBank_isRejected() {
    assertRejected(
        () -> problem(List.of(), Map.of(0, "flash")),
        "record 0 'conv' is tied to bank 'flash', expected one of sram, dram");
  }

  @Test
  void movedBytes_isOneWriteAndAllReads() {
    BankedProblem problem = problem(List.of(3L, 0L), Map.of(1, "dram"));
    assertThat(problem.movedBytes(0)).isEqualTo(400);
    assertThat(problem.movedBytes(1)).isEqualTo(50);
    assertThat(problem(List.of(), Map.of()).movedBytes(1)).isEqualTo(100);
    assertThat(problem.reads(0)).isEqualTo(3);
    assertThat(problem.tiedBank(0)).isEmpty();
    assertThat(problem.permittedBanks(0)).containsExactly(0, 1);
    assertThat(problem.tiedBank(1)).hasValue(1);
    assertThat(problem.permittedBanks(1)).containsExactly(1);
  }
}
