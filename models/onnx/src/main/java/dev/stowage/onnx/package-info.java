/**
 * ONNX models: reading them as planning problems, and running them in planned memory.
 *
 * <h2>For maintainers</h2>
 *
 * <p>The way of a file: {@code FixedDimensions} replaces open dimensions by the sizes of the user,
 * {@code GraphAssembly} builds a {@code ModelGraph}, and {@code PlannedValues} derives the records;
 * views may share one (all in {@code graph}). If the file lacks the type of a value, {@link
 * ShapeInference} asks ONNX Runtime ({@code engine}). The result is a {@link LoadedModel}. For
 * dimensions with ranges, a {@link RangedModel} merges the problems of several shapes. {@code file}
 * reads files and writes copies in another order.
 *
 * <p>{@link ModelVerification} takes unknown sizes from a run, plans, and compares runs ({@code
 * engine.ComparedRuns}). If the operators are in another order, the whole reordered model runs,
 * too.
 *
 * <p>Decisions:
 *
 * <ul>
 *   <li>The operators of a file are sorted, stably and with a note, because they are a graph and
 *       not a program. Records are sorted by their first tasks.
 *   <li>ONNX Runtime never loads the weights of a model for shape inference: they become inputs
 *       ({@code graph.ShapeQuestion}). It computes nothing large, because constant folding is
 *       limited.
 *   <li>ONNX Runtime infers shapes in this process. Of hundreds of thousands of damaged models
 *       (flipped bytes, wrong shapes, types, operands and operators), two kinds crashed it:
 *       functions that call each other, which it inlines in quadratic time, and operands with
 *       shapes of 2^40 elements. Stowage rejects a model with too many operators after inlining
 *       ({@code graph.FunctionCalls}), and removes the lengths of such operands ({@code
 *       graph.ShapeQuestion}). A separate process would cost almost a second for each model.
 *   <li>Stowage asks ONNX Runtime for the rank of a tensor without dimensions, because its Java
 *       interface describes a scalar and a tensor of unknown rank in the same way.
 *   <li>Results of random operators are not constants. Names without a producer are constants, as
 *       in models without their weights.
 *   <li>A view of a tensor that is not planned has a record of its own, because no plan contains
 *       the address of the caller's memory.
 * </ul>
 */
package dev.stowage.onnx;
