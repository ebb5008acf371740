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
      new BankedProblem(
          PlanProblem.of(
              List.of(
                  TensorUsageRecord.of(8, 0, 1),
                  TensorUsageRecord.of(8, 1, 2),
                  TensorUsageRecord.of(8, 2, 3))),
          List.of(
              MemoryBank.of("sram", 12).withAlignment(4), MemoryBank.of("dram", 16).withCost(10)),
          List.of(),
          Map.of(2, "dram"));

  private static void assertViolation(int[] banks, long[] offsets, String violation) {
    BankedAssignment plan = BankedAssignment.of(PROBLEM, banks, offsets);
    assertThat(BankedAssignmentChecker.violation(PROBLEM, plan)).hasValue(violation);
  }

  @Test
  void violation_validPlan_isEmpty() {
    BankedAssignment plan = BankedAssignment.of(PROBLEM, new int[] {0, 1, 1}, new long[] {4, 0, 8});
    assertThat(BankedAssignmentChecker.violation(PROBLEM, plan)).isEmpty();
    assertThat(plan.bankBytes()).containsExactly(12, 16);
    assertThat(plan.cost()).isEqualTo(8 * 2 + 2 * 8 * 2 * 10);
  }

  @Test
  void violation_planOfAnotherProblem_isB1() {
    BankedProblem other =
        BankedProblem.of(
            PlanProblem.of(List.of(TensorUsageRecord.of(8, 0, 1))),
            List.of(MemoryBank.unlimited("ram")));
    assertThat(
            BankedAssignmentChecker.violation(
                PROBLEM, BankedAssignment.of(other, new int[1], new long[1])))
        .hasValue("B1 1 records in 1 banks, expected 3 in 2");
  }

  @Test
  void violation_tiedRecordInAnotherBank_isB2() {
    assertViolation(
        new int[] {0, 1, 0}, new long[3], "B2 record 2 is in bank sram but tied to dram");
  }

  @Test
  void violation_misaligned_isB3() {
    assertViolation(
        new int[] {0, 1, 1},
        new long[] {2, 0, 8},
        "B3 record 0 has offset 2 in bank sram, expected a multiple of 4");
  }

  @Test
  void violation_overlapInABank_isB4() {
    assertViolation(
        new int[] {0, 1, 1},
        new long[] {0, 0, 7},
        "B4 in bank dram, whose records are [1, 2]: V4 records 0 and 1 share bytes at task 2");
  }

  @Test
  void violation_moreBytesThanTheBankHas_isB5() {
    assertViolation(new int[] {0, 1, 1}, new long[] {8, 0, 8}, "B5 bank sram uses 16 of 12 bytes");
  }

  @Test
  void of_wrongNumbers_isRejected() {
    assertThatThrownBy(() -> BankedAssignment.of(PROBLEM, new int[2], new long[3]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "there must be a bank and an offset for each record: records=3, banks=2, offsets=3");
    assertThatThrownBy(() -> BankedAssignment.of(PROBLEM, new int[] {0, 2, 1}, new long[3]))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }
}
