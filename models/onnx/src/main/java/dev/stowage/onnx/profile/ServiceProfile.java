package dev.stowage.onnx.profile;

import java.util.List;

/**
 * The runs of a session that was profiled, those with the largest tensors first.
 *
 * <p>Runs in which the inputs of the model have the same shapes are one {@link ProfiledRun}, which
 * has the largest type of each tensor. Of more than {@value #MAX_SHAPES} different ones, those with
 * the largest outputs of operators are kept.
 *
 * @param source the name of the file in messages
 * @param runs the runs with different shapes
 * @param counts the numbers of runs
 */
public record ServiceProfile(String source, List<ProfiledRun> runs, Counts counts) {

  /** The most runs with different shapes that are kept. */
  public static final int MAX_SHAPES = 32;

  /** Creates a profile. */
  public ServiceProfile {
    runs = List.copyOf(runs);
  }

  /**
   * The numbers of runs.
   *
   * @param runCount the complete runs
   * @param isCut true if the file ends within an event
   * @param isShortened true if runs with other shapes than those of {@link #runs()} were left out
   */
  public record Counts(long runCount, boolean isCut, boolean isShortened) {}
}
