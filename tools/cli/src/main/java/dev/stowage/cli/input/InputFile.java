package dev.stowage.cli.input;

import dev.stowage.pages.label.TaskLabel;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Printable;
import java.util.List;
import java.util.OptionalLong;

/**
 * Properties of an input file.
 *
 * @param path the file as on the command line
 * @param format {@code tflite}, {@code onnx}, {@code csv}, {@code json} or {@code xla}
 * @param operatorCount the number of tasks
 * @param tasks the operator of each task; empty if the file has no operators
 * @param capacity the bytes that a plan must fit into, if the file limits them
 * @param notes sentences for the user, for example on tensors that are not planned
 */
public record InputFile(
    String path,
    String format,
    long operatorCount,
    List<TaskLabel> tasks,
    OptionalLong capacity,
    List<String> notes) {

  /**
   * Creates the properties of a file without operators.
   *
   * @param format {@code csv} or {@code json}
   * @param capacity the bytes that a plan must fit into, if the file limits them
   */
  public InputFile(
      String path, String format, long operatorCount, OptionalLong capacity, List<String> notes) {
    this(path, format, operatorCount, List.of(), capacity, notes);
  }

  /**
   * {@return true if the file is a model, so that its operators can be read again in other ways}
   */
  public boolean isModel() {
    return format.equals("tflite") || format.equals("onnx");
  }

  /**
   * {@return the name of a task in a table: {@code CONV_2D 12}, or {@code 12} without operators of
   * a model}
   */
  public String cell(long task) {
    return isModel() ? TaskLabel.cell(task, tasks) : Numbers.grouped(task);
  }

  /**
   * {@return the name of a task in a sentence: {@code CONV_2D 12}, {@code Conv 12 (/stem/conv)},
   * {@code task 12 (fusion.3)} of a program, or {@code task 12} without operators}
   */
  public String nameOf(long task) {
    if (!TaskLabel.isNamed(task, tasks)) {
      return "task " + Numbers.grouped(task);
    }
    TaskLabel label = tasks.get((int) task);
    String name = isModel() ? label.name() : label.operator();
    return (isModel() ? "" : "task ")
        + cell(task)
        + (name.isEmpty() ? "" : " (" + Printable.of(name) + ")");
  }
}
