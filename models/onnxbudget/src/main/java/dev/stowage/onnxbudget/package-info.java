/**
 * Native memory of services that run ONNX models in ONNX Runtime.
 *
 * <h2>For maintainers</h2>
 *
 * <p>{@link OnnxBudget} loads a model once, as several {@code memory.OptimizedModel}s if sessions
 * may order the operators in several ways. The weights do not depend on dimensions. The use of runs
 * is computed at each point of a grid of shapes. The largest figures become the parts of a {@code
 * ModelBudget}. {@link EngineConstants} has the figures that were measured on a machine, and {@link
 * ModelService} is the service that a measurement runs.
 */
package dev.stowage.onnxbudget;
