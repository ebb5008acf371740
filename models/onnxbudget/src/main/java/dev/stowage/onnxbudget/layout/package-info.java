/**
 * The layout that ONNX Runtime gives a graph for the vector registers of a processor.
 *
 * <p>ONNX Runtime applies its last optimizations for the processor that it runs on. {@link
 * CpuLayout} applies the same rules for any processor, so that a budget can be computed on another
 * machine than that of the service. {@link ChannelBlocks} rewrites the operators, and {@link
 * AddedConvolutions} fuses convolutions with sums. {@link EngineOrder} and {@link CreationOrder}
 * have the order of the operators.
 */
package dev.stowage.onnxbudget.layout;
