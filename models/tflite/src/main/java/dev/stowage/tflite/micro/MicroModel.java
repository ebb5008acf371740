package dev.stowage.tflite.micro;

import dev.stowage.tflite.offline.OfflinePlan;
import java.util.List;
import java.util.Optional;

/**
 * The parts of a {@link MicroArena} that are read from a model.
 *
 * @param tensors the tensors of all subgraphs
 * @param lifetimes the lifetimes of the tensors
 * @param filePlan the plan in the model, if it has one
 * @param kernels facts on the kernels of its operators
 * @param tail the data in the tail of the arena
 * @param inPlace the operators that may work in place
 * @param decompression the constants that are decompressed
 * @param decodeOrder the order of the operators that decode constants
 */
record MicroModel(
    MicroTensors tensors,
    MicroLifetimes lifetimes,
    Optional<OfflinePlan> filePlan,
    MicroKernels kernels,
    MicroTail tail,
    List<MicroInPlace> inPlace,
    Decompression decompression,
    DecodeOrder decodeOrder) {

  MicroModel {
    inPlace = List.copyOf(inPlace);
  }
}
