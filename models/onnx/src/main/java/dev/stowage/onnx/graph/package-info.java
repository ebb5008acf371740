/**
 * The main graph of a model: its operators, and its values with their readers and types.
 *
 * <p>The package depends on the schema of the file, and neither on an engine nor on files.
 *
 * <p>{@link GraphAssembly} builds a {@link ModelGraph}, and {@link PlannedValues} derives the
 * records. {@link ShapeQuestion} and {@link OperatorModel} are models for an engine: the first one
 * asks for shapes, the second one runs a single operator. {@link ShapeRules} has rules for shapes
 * that ONNX Runtime does not infer. {@link InPlaceResults} has the operators that may write over an
 * input. {@link PlannedOperators}, with {@link NodeEffects}, is the graph of operators for a search
 * over their orders.
 */
package dev.stowage.onnx.graph;
