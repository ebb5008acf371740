package dev.stowage.pages.label;

import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Printable;
import java.util.List;

/**
 * The operator of a task.
 *
 * @param operator the kind and the index, such as {@code CONV_2D 12}
 * @param name the name of the operator in the model; empty if it has none
 */
public record TaskLabel(String operator, String name) {

  /**
   * {@return the name of a task in a table: {@code CONV_2D 12}, or {@code 12} without operators}
   *
   * @param tasks the operator of each task; empty if there are no operators
   */
  public static String cell(long task, List<TaskLabel> tasks) {
    return isNamed(task, tasks)
        ? Printable.of(tasks.get((int) task).operator)
        : Numbers.grouped(task);
  }

  /**
   * {@return true if a task has an operator}
   *
   * @param tasks the operator of each task; empty if there are no operators
   */
  public static boolean isNamed(long task, List<TaskLabel> tasks) {
    return 0 <= task && task < tasks.size();
  }
}
