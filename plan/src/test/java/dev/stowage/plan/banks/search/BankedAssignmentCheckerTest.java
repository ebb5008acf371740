package dev.stowage.plan.banks.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.banks.BankedAssignment;
import dev.stowage.plan.banks.BankedProblem;
import dev.stowage.plan.banks.MemoryBank;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Each rule of the checker, with a plan that violates only this rule. */
class BankedAssignmentCheckerTest {

  /** Records of 8 bytes at tasks 0 to 1, 1 to 2 and 2 to 3; the last one is tied to dram. */
  private static final BankedProblem PROBLEM =
      BankedProblem.of(
              PlanProblem.of(
                  List.of(
                      TensorUsageRecord.of(8, 0, 1),
                      TensorUsageRecord.of(8, 1, 2),
                      TensorUsageRecord.of(8, 2, 3))),
              List.of(
                  MemoryBank.of("sram", 12).withAlignment(4),
                  MemoryBank.of("dram", 16).withCost(10)))
          .withTies(Map.of(2, "dram"));

  private static void assertViolation(BankedAssignment plan, String violation) {
    assertThat(BankedAssignmentChecker.violation(PROBLEM, plan)).hasValue(violation);
  }

  private static BankedAssignment plan(int[] banks, long[] offsets, long[] bytes, long cost) {
    return BankedAssignment.of(banks, offsets, bytes, cost);
  }

  @Test
  void violation_validPlan_isEmpty() {
    BankedAssignment plan =
        plan(new int[] {0, 1, 1}, new long[] {4, 0, 8}, new long[] {12, 16}, 16 + 320);
    assertThat(BankedAssignmentChecker.violation(PROBLEM, plan)).isEmpty();
  }

  @Test
  void violation_wrongCounts_isB1() {
    assertViolation(
        plan(new int[1], new long[1], new long[] {8, 0}, 16),
        "B1 1 records in 2 banks, expected 3 in 2");
    assertViolation(
        plan(new int[3], new long[3], new long[] {8}, 16),
        "B1 3 records in 1 banks, expected 3 in 2");
    assertViolation(
        plan(new int[] {0, 2, 1}, new long[3], new long[] {8, 8}, 16),
        "B1 record 1 is in bank 2 of 2");
  }

  @Test
  void violation_tiedRecordInAnotherBank_isB2() {
    assertViolation(
        plan(new int[] {0, 1, 0}, new long[3], new long[] {8, 8}, 192),
        "B2 record 2 is in bank sram but tied to dram");
  }

  @Test
  void violation_misaligned_isB3() {
    assertViolation(
        plan(new int[] {0, 1, 1}, new long[] {2, 0, 8}, new long[] {10, 16}, 336),
        "B3 record 0 has offset 2 in bank sram, expected a multiple of 4");
  }

  @Test
  void violation_overlapInABank_isB4() {
    assertViolation(
        plan(new int[] {0, 1, 1}, new long[] {0, 0, 7}, new long[] {8, 15}, 336),
        "B4 in bank dram, whose records are [1, 2]: V4 records 0 and 1 share bytes at task 2");
  }

  @Test
  void violation_wrongBytesOfABank_isB5() {
    assertViolation(
        plan(new int[] {0, 1, 1}, new long[] {0, 0, 8}, new long[] {12, 16}, 336),
        "B5 bank sram uses 12 bytes, expected 8 and at most 12");
    assertViolation(
        plan(new int[] {0, 1, 1}, new long[] {8, 0, 8}, new long[] {16, 16}, 336),
        "B5 bank sram uses 16 bytes, expected 16 and at most 12");
  }

  @Test
  void violation_wrongCost_isB6() {
    assertViolation(
        plan(new int[] {0, 1, 1}, new long[] {0, 0, 8}, new long[] {8, 16}, 335),
        "B6 the cost is 335, expected 336");
  }

  @Test
  void of_differentLengths_isRejected() {
    assertThatThrownBy(() -> plan(new int[2], new long[3], new long[2], 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("there must be a bank and an offset for each record: banks=2, offsets=3");
  }
}
