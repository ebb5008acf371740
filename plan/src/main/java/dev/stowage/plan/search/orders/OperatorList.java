package dev.stowage.plan.search.orders;

/** A list of different operators. */
final class OperatorList {

  private final int[] operators;
  private int size;

  /**
   * Creates an empty list.
   *
   * @param capacity the largest number of operators
   */
  OperatorList(int capacity) {
    operators = new int[capacity];
  }

  int size() {
    return size;
  }

  int get(int index) {
    return operators[index];
  }

  void clear() {
    size = 0;
  }

  void push(int operator) {
    operators[size++] = operator;
  }

  /** Removes an operator; the last one takes its place. O(1). */
  void remove(int index) {
    operators[index] = operators[--size];
  }
}
