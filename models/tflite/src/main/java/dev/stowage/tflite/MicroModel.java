package dev.stowage.tflite;

import java.util.List;
import java.util.Optional;

/**
 * The parts of a {@link MicroArena} that are read from a model.
 *
 * @param tensors the tensors of all subgraphs that need memory
 * @param handles the tensors with handles of variables, which only the interpreter places
 * @param lifetimes the lifetimes of the tensors
 * @param filePlan the plan in the model, if it has one
 * @param kernels facts on the kernels of its operators
 * @param inPlace the operators that may work in place
 * @param notes sentences on tensors that are not planned
 */
record MicroModel(
    List<MicroTensor> tensors,
    List<MicroTensor> handles,
    MicroLifetimes lifetimes,
    Optional<OfflinePlan> filePlan,
    MicroKernels kernels,
    List<MicroInPlace> inPlace,
    List<String> notes) {

  MicroModel {
    tensors = List.copyOf(tensors);
    handles = List.copyOf(handles);
    inPlace = List.copyOf(inPlace);
    notes = List.copyOf(notes);
  }
}
