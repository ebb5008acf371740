package dev.stowage.tflite.micro;

import java.util.List;

/**
 * The tensors of all subgraphs of a model.
 *
 * @param inMemory the tensors that need memory
 * @param handles the tensors with handles of variables, which only the interpreter places
 * @param notes sentences on tensors that are not planned
 */
record MicroTensors(List<MicroTensor> inMemory, List<MicroTensor> handles, List<String> notes) {

  MicroTensors {
    inMemory = List.copyOf(inMemory);
    handles = List.copyOf(handles);
    notes = List.copyOf(notes);
  }
}
