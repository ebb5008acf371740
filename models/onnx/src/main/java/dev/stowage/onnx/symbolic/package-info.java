/**
 * Rules for the shapes of operators, whose dimensions are expressions of open dimensions.
 *
 * <p>{@link GraphShapes} applies a {@link ShapeRule} to each operator and computes a {@link
 * SymbolicValue}: the dimensions as expressions, and the elements of small tensors. A number that
 * is known only at run time is a symbol of {@link Sizing}. The symbol stays in all expressions that
 * depend on it, and names its operator. {@link SymbolicTypes} completes the results of the rules by
 * the file and ONNX Runtime. {@link SymbolicRecords} derives the lifetimes as for one shape.
 */
package dev.stowage.onnx.symbolic;
