package dev.stowage.plan.banks.search;

import dev.stowage.plan.banks.BankedProblem;
import dev.stowage.plan.banks.MemoryBank;
import dev.stowage.plan.base.Alignment;
import dev.stowage.plan.base.IndexOrder;
import dev.stowage.plan.base.StepCounter;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** A lower bound of the cost of all plans in which each record is in one of its permitted banks. */
final class BankRelaxation {

  /*
   * Let the costs of the banks be c(0) <= c(1) <= ... The cost of a record in bank k is its moved
   * bytes times c(0) + (c(1) - c(0)) + ... + (c(k) - c(k - 1)). Level k therefore saves
   * c(k + 1) - c(k) for each moved byte of the records in banks 0 to k. The bound takes the largest
   * savings of each level on its own. With two banks, it is the linear relaxation of the problem.
   */

  private final int[] byCost;
  private final int[] position;
  private final List<BankLevel> levels = new ArrayList<>();
  private final List<Long> insideMasks = new ArrayList<>();
  private final long mostCost;
  private final long costStep;

  /**
   * Creates the relaxation of a problem whose records may be in all banks.
   *
   * @throws ArithmeticException if the numbers of the problem are too large
   */
  BankRelaxation(BankedProblem problem, StepCounter steps) {
    int bankCount = problem.banks().size();
    byCost = byCost(problem);
    position = new int[bankCount];
    for (int k = 0; k < bankCount; k++) {
      position[byCost[k]] = k;
    }
    long moved = 0;
    for (int i = 0; i < problem.recordCount(); i++) {
      moved += problem.movedBytes(i);
    }
    mostCost = moved * problem.banks().get(byCost[bankCount - 1]).cost();
    costStep = costStep(problem);
    for (int k = 0; k + 1 < bankCount; k++) {
      long difference =
          problem.banks().get(byCost[k + 1]).cost() - problem.banks().get(byCost[k]).cost();
      if (difference > 0 || k == 0) {
        List<Integer> inside = IntStream.rangeClosed(0, k).map(p -> byCost[p]).boxed().toList();
        List<Integer> outside =
            IntStream.range(k + 1, bankCount).map(p -> byCost[p]).boxed().toList();
        levels.add(new BankLevel(problem, inside, outside, difference, steps));
        insideMasks.add(inside.stream().mapToLong(bank -> 1L << bank).sum());
      }
    }
  }

  private long costStep(BankedProblem problem) {
    long step = 0;
    for (MemoryBank bank : problem.banks()) {
      long difference = bank.cost() - problem.banks().get(byCost[0]).cost();
      step = Alignment.greatestCommonDivisor(step, difference);
    }
    long moved = 0;
    for (int i = 0; i < problem.recordCount(); i++) {
      moved = Alignment.greatestCommonDivisor(moved, problem.movedBytes(i));
    }
    return Math.max(1, step * moved);
  }

  /** {@return the banks by ascending cost, banks of equal cost in their order} */
  static int[] byCost(BankedProblem problem) {
    List<MemoryBank> banks = problem.banks();
    return IndexOrder.ascending(banks.size(), bank -> banks.get(bank).cost());
  }

  /** {@return the banks by ascending cost} */
  int[] byCost() {
    return byCost;
  }

  /** {@return the number of cheaper banks, and of equally cheap ones before a bank} */
  int position(int bank) {
    return position[bank];
  }

  /** Permits a record only some banks; bit {@code b} of the mask is bank {@code b}. */
  void permit(int record, long banks) {
    for (int k = 0; k < levels.size(); k++) {
      long inside = insideMasks.get(k);
      BankLevel.Place place =
          (banks & inside) == 0
              ? BankLevel.Place.OUTSIDE
              : (banks & ~inside) == 0 ? BankLevel.Place.INSIDE : BankLevel.Place.ANY;
      if (levels.get(k).place(record) != place) {
        levels.get(k).set(record, place);
      }
    }
  }

  boolean isInfeasible() {
    return levels.stream().anyMatch(BankLevel::isInfeasible);
  }

  /** {@return the lower bound} */
  long lowerCost() {
    long cost = mostCost;
    for (BankLevel level : levels) {
      cost -= level.maxSavings();
    }
    return cost;
  }

  /**
   * {@return a lower bound for records that may be in all banks, also good if the relaxation was
   * stopped}
   */
  long lowerCostOfAll() {
    long cost = mostCost;
    for (BankLevel level : levels) {
      cost -= Math.min(level.maxSavings(), level.maxSavingsAtOnePrice());
    }
    return cost;
  }

  /** {@return the permitted banks of a record that a plan below a cost may use} */
  long banksBelow(int record, long permitted, long slack) {
    long banks = permitted;
    for (int k = 0; k < levels.size(); k++) {
      BankLevel level = levels.get(k);
      if (level.place(record) == BankLevel.Place.ANY) {
        if (level.lossOutside(record) >= slack) {
          banks &= insideMasks.get(k);
        }
        if (level.lossInside(record) >= slack) {
          banks &= ~insideMasks.get(k);
        }
      }
    }
    return banks;
  }

  /** {@return the share of a record that is not wholly on one side of all levels; 0 if it is} */
  double fraction(int record) {
    double fraction = 0;
    for (BankLevel level : levels) {
      double share = level.share(record);
      fraction = Math.max(fraction, Math.min(share, 1 - share));
    }
    return fraction;
  }

  /** {@return the cheapest permitted bank that the relaxation uses for a record} */
  int preferredBank(int record, long permitted) {
    int last = 0;
    for (int p = 0; p < byCost.length; p++) {
      int bank = byCost[p];
      if (((permitted >> bank) & 1) == 1) {
        last = bank;
        boolean isInside = true;
        for (int k = 0; k < levels.size(); k++) {
          if (((insideMasks.get(k) >> bank) & 1) == 1) {
            // The first level with this bank keeps the record if it is in this bank or cheaper.
            isInside = levels.get(k).share(record) >= 0.5;
            break;
          }
        }
        if (isInside) {
          return bank;
        }
      }
    }
    return last;
  }

  /** {@return a number that divides the difference of the costs of any two plans} */
  long costStep() {
    return costStep;
  }

  /** {@return the levels} */
  List<BankLevel> levels() {
    return levels;
  }

  /** {@return the banks inside a level, as a mask} */
  long insideMask(int level) {
    return insideMasks.get(level);
  }

  /** Checks the invariants of all levels. */
  void checkInvariants() {
    levels.forEach(BankLevel::checkInvariants);
  }
}
