/**
 * Readers of models, problems and plans.
 *
 * <p>{@link InputReader} selects a reader by the extension of the file name or by {@code
 * --input-format}. If dimensions have ranges, the {@link PlanInput} has the largest size of each
 * record, and a problem for all shapes. {@link MicroProblemReader} reads a model as the tensor
 * arena of TensorFlow Lite Micro. The operators of an {@link OrderedModel} can run in other orders.
 * {@link XlaDumpReader} joins the files of a program in a dump of XLA: its {@link XlaBuffers} and
 * {@link XlaRanges}.
 *
 * <p>Problems in CSV and in JSON are {@link ProblemRecord}s, which Jackson reads and writes. {@link
 * ProblemTensors} checks and collects them. {@link MappedText} has the errors of all files in CSV
 * and JSON.
 */
package dev.stowage.cli.input;
