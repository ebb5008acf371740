/** The memory of this process, from the operating system and the JVM. Not exported. */
package dev.stowage.onnxruntime.process;
