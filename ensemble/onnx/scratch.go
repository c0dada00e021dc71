package onnx

// scratch are the buffers of one runner, used again for every batch. Nobody else holds
// on to them: a caller that gives up while a network runs leaves nothing behind that
// the network still reads or writes.
type scratch struct {
	inputs [][]int64 // by input of the network
	logits []float32
	tally  tally
	chain  chainScratch
	word   []byte
}
