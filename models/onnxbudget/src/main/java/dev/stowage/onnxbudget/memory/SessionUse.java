package dev.stowage.onnxbudget.memory;

import java.util.List;

/**
 * The memory of runs of a session for one shape, by the pages that it touches.
 *
 * @param inputBytes the inputs, in memory of the caller
 * @param outputBytes the outputs of a run
 * @param activationBytes the intermediate tensors of the first runs and the unused parts of the
 *     arena between them
 * @param workspaceBytes the additional bytes because of the workspace of kernels
 * @param notes sentences on parts that the prediction lacks
 */
public record SessionUse(
    long inputBytes,
    long outputBytes,
    long activationBytes,
    long workspaceBytes,
    List<String> notes) {

  /** Creates a use. */
  public SessionUse {
    notes = List.copyOf(notes);
  }
}
