// Memory planners for TensorFlow Lite Micro: ScratchLog prints the scratch buffers of a model, and PlacementLog also
// the places of all buffers.
//
// It passes all calls to another planner, and prints the CSV of `stowage plan --scratch`:
//
//   static tflite::GreedyMemoryPlanner greedy;
//   static ScratchLog planner(model, &greedy);
//   tflite::MicroAllocator* allocator =
//       tflite::MicroAllocator::Create(tensor_arena, sizeof(tensor_arena), &planner);
//   tflite::MicroInterpreter interpreter(model, resolver, allocator);
//   interpreter.AllocateTensors();
//
// `static PlacementLog planner(model, &greedy);` also prints the lines of `stowage check --device-log`: for each
// buffer its bytes and its offset in the plan of the model, or -1, and then the place that the interpreter gives it.
//
// Use them with the kernels of the firmware: each library of kernels requests other buffers. The model may have
// an offline plan, unless the plan places variables, which plans of Stowage do not. The log omits the
// buffers of subgraphs that no operator calls. Do not call SetDecompressionMemory before.

#ifndef SCRATCH_LOG_H_
#define SCRATCH_LOG_H_

#include <cstddef>
#include <cstdint>

#include "tensorflow/lite/micro/memory_planner/micro_memory_planner.h"
#include "tensorflow/lite/micro/micro_log.h"
#include "tensorflow/lite/schema/schema_generated.h"

class ScratchLog : public tflite::MicroMemoryPlanner {
 public:
  ScratchLog(const tflite::Model* model, tflite::MicroMemoryPlanner* planner)
      : model_(model), planner_(planner), tensors_(CountTensors(model)) {}

  TfLiteStatus AddBuffer(int size, int first, int last) override {
    Log(size, first);
    return planner_->AddBuffer(size, first, last);
  }
  TfLiteStatus AddBuffer(int size, int first, int last, int offset) override {
    Log(size, first);
    return planner_->AddBuffer(size, first, last, offset);
  }
  size_t GetMaximumMemorySize() override { return planner_->GetMaximumMemorySize(); }
  int GetBufferCount() override { return planner_->GetBufferCount(); }
  TfLiteStatus GetOffsetForBuffer(int index, int* offset) override {
    return planner_->GetOffsetForBuffer(index, offset);
  }
  TfLiteStatus Init(unsigned char* scratch, int size) override {
    return planner_->Init(scratch, size);
  }
  bool preserves_all_tensors() const override { return planner_->preserves_all_tensors(); }
  void PrintMemoryPlan() override { planner_->PrintMemoryPlan(); }

 private:
  // The interpreter adds the tensors that need memory first, and then the scratch buffers.
  void Log(int size, int first) {
    if (planner_->GetBufferCount() == 0) {
      MicroPrintf("subgraph,operator,bytes");
    }
    if (planner_->GetBufferCount() >= tensors_) {
      int scope = 0;
      PrintInScope(0, first, size, &scope);
    }
  }

  static int CountTensors(const tflite::Model* model) {
    int count = 0;
    for (const tflite::SubGraph* subgraph : *model->subgraphs()) {
      const int tensors = static_cast<int>(subgraph->tensors()->size());
      for (int i = 0; i < tensors; i++) {
        count += NeedsMemory(model, subgraph->tensors()->Get(i)) && !IsHandle(model, subgraph, i);
      }
    }
    return count;
  }

  static bool NeedsMemory(const tflite::Model* model, const tflite::Tensor* tensor) {
    const tflite::Buffer* buffer = model->buffers()->Get(tensor->buffer());
    if (tensor->is_variable() || (buffer->data() != nullptr && buffer->data()->size() > 0)) {
      return false;
    }
    if (tensor->shape() != nullptr) {
      for (int32_t dimension : *tensor->shape()) {
        if (dimension == 0) {
          return false;
        }
      }
    }
    return true;
  }

  // VAR_HANDLE allocates its result itself.
  static bool IsHandle(const tflite::Model* model, const tflite::SubGraph* subgraph, int tensor) {
    if (subgraph->operators() == nullptr) {
      return false;
    }
    for (const tflite::Operator* op : *subgraph->operators()) {
      const auto* code = model->operator_codes()->Get(op->opcode_index());
      if (code->builtin_code() == tflite::BuiltinOperator_VAR_HANDLE &&
          op->outputs()->Get(0) == tensor) {
        return true;
      }
    }
    return false;
  }

  // Prints the row if the operator with the scope is in the subgraph, or in one that it calls. The interpreter
  // counts a scope for each operator that it walks, and one more for each subgraph that is called.
  bool PrintInScope(int subgraph, int wanted, int bytes, int* scope) const {
    const auto* operators = model_->subgraphs()->Get(subgraph)->operators();
    const int count = operators == nullptr ? 0 : static_cast<int>(operators->size());
    for (int i = 0; i < count; i++) {
      if (++*scope == wanted) {
        MicroPrintf("%d,%d,%d", subgraph, i, bytes);
        return true;
      }
      int called[2] = {-1, -1};
      FindCalled(operators->Get(i), called);
      for (int target : called) {
        if (target >= 0) {
          ++*scope;
          if (PrintInScope(target, wanted, bytes, scope)) {
            return true;
          }
        }
      }
    }
    return false;
  }

  void FindCalled(const tflite::Operator* op, int* called) const {
    switch (model_->operator_codes()->Get(op->opcode_index())->builtin_code()) {
      case tflite::BuiltinOperator_IF:
        called[0] = op->builtin_options_as_IfOptions()->then_subgraph_index();
        called[1] = op->builtin_options_as_IfOptions()->else_subgraph_index();
        break;
      case tflite::BuiltinOperator_WHILE:
        called[0] = op->builtin_options_as_WhileOptions()->cond_subgraph_index();
        called[1] = op->builtin_options_as_WhileOptions()->body_subgraph_index();
        break;
      case tflite::BuiltinOperator_CALL_ONCE:
        called[0] = op->builtin_options_as_CallOnceOptions()->init_subgraph_index();
        break;
      default:
        break;
    }
  }

  const tflite::Model* model_;
  tflite::MicroMemoryPlanner* planner_;
  int tensors_;
};

class PlacementLog : public ScratchLog {
 public:
  using ScratchLog::ScratchLog;

  TfLiteStatus AddBuffer(int size, int first, int last) override {
    MicroPrintf("buffer,%d,%d,-1", GetBufferCount(), size);
    return ScratchLog::AddBuffer(size, first, last);
  }
  TfLiteStatus AddBuffer(int size, int first, int last, int offset) override {
    MicroPrintf("buffer,%d,%d,%d", GetBufferCount(), size, offset);
    return ScratchLog::AddBuffer(size, first, last, offset);
  }
  TfLiteStatus GetOffsetForBuffer(int index, int* offset) override {
    const TfLiteStatus status = ScratchLog::GetOffsetForBuffer(index, offset);
    MicroPrintf("placed,%d,%d", index, *offset);
    return status;
  }
};

#endif  // SCRATCH_LOG_H_
