package dev.stowage.bench;

import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.incremental.OperatorOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/**
 * A random walk over the legal orders of a network, and the problems on its way.
 *
 * @param trials moves that are legal in the first order
 * @param moves the moves of the walk
 * @param problems the problems after the first moves
 */
record OrderWalk(List<Move> trials, List<Move> moves, List<PlanProblem> problems) {

  /** A move of one operator from a position to another one. */
  record Move(int from, int to) {

    void apply(OperatorOrder order) {
      order.move(from, to);
    }

    Move inverse() {
      return new Move(to, from);
    }
  }

  /** {@return the moves of the walk} */
  Stream<Move> there() {
    return moves.stream();
  }

  /** {@return the moves that lead back to the first order} */
  Stream<Move> back() {
    return moves.reversed().stream().map(Move::inverse);
  }

  /**
   * {@return a walk from an order, which the walk changes}
   *
   * @param length the number of moves, and of trials
   * @param distance the maximum number of places by which an operator moves
   * @param problemCount the number of problems
   */
  static OrderWalk of(OperatorOrder order, int length, int distance, int problemCount) {
    Random random = new Random(2);
    List<Move> trials = new ArrayList<>();
    while (trials.size() < length) {
      trials.add(legalMove(order, distance, random));
    }
    List<Move> moves = new ArrayList<>();
    List<PlanProblem> problems = new ArrayList<>();
    while (moves.size() < length) {
      Move move = legalMove(order, distance, random);
      order.move(move.from(), move.to());
      moves.add(move);
      if (problems.size() < problemCount) {
        problems.add(order.problem());
      }
    }
    return new OrderWalk(trials, moves, problems);
  }

  private static Move legalMove(OperatorOrder order, int distance, Random random) {
    while (true) {
      int from = random.nextInt(order.operatorCount());
      int to = from + (random.nextBoolean() ? 1 : -1) * (1 + random.nextInt(distance));
      if (to >= 0 && to < order.operatorCount() && order.canMove(from, to)) {
        return new Move(from, to);
      }
    }
  }
}
