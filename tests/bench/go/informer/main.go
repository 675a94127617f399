// A client of the benchmark: client-go's shared informer of pods. Arguments: the server's URL and the number of pods;
// what it prints and what it reads is what lvms.tests.bench.k8s.client.Session says.
package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	v1 "k8s.io/api/core/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
)

const sent = "bench.lvms.io/sent"

func main() {
	pods, err := strconv.ParseInt(os.Args[2], 10, 64)
	must(err)
	started := time.Now()
	client, err := kubernetes.NewForConfig(&rest.Config{Host: os.Args[1]})
	must(err)
	factory := informers.NewSharedInformerFactory(client, 0)
	informer := factory.Core().V1().Pods().Informer()
	updates := &round{size: pods}
	registration, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		UpdateFunc: func(_, _ any) { updates.event() },
	})
	must(err)
	factory.Start(context.Background().Done())
	for !registration.HasSynced() {
		time.Sleep(time.Millisecond)
	}
	fmt.Println("synced", time.Since(started).Milliseconds())
	commands(informer, pods)
	runtime.KeepAlive(factory)
}

// Answers the commands until the input ends.
func commands(informer cache.SharedIndexInformer, pods int64) {
	input := bufio.NewScanner(os.Stdin)
	for input.Scan() {
		words := strings.Fields(input.Text())
		switch words[0] {
		case "kept":
			var memory runtime.MemStats
			runtime.GC()
			runtime.GC() // what the first one found to have a finalizer
			runtime.ReadMemStats(&memory)
			fmt.Println("kept", memory.HeapAlloc)
		case "reconcile":
			events, err := strconv.Atoi(words[1])
			must(err)
			go reconcile(informer, pods, events)
		}
	}
}

// A round of updates, one of each pod.
type round struct {
	size    int64
	seen    int64 // one handler, one thread
	started time.Time
}

func (r *round) event() {
	r.seen++
	if r.seen == 1 {
		r.started = time.Now()
	}
	if r.seen == r.size {
		fmt.Println("round", time.Since(r.started).Microseconds())
		r.seen = 0
	}
}

// Reconciles with one worker; prints the latencies once it has seen as many marked events.
func reconcile(informer cache.SharedIndexInformer, pods int64, events int) {
	queue := workqueue.NewTypedRateLimitingQueue(workqueue.DefaultTypedControllerRateLimiter[string]())
	enqueue := func(object any) {
		key, err := cache.MetaNamespaceKeyFunc(object)
		must(err)
		queue.Add(key)
	}
	_, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    enqueue,
		UpdateFunc: func(_, object any) { enqueue(object) },
	})
	must(err)
	var passes atomic.Int64
	latencies := make([]int64, 0, events)
	for {
		key, shutdown := queue.Get()
		if shutdown {
			return
		}
		object, _, err := informer.GetStore().GetByKey(key)
		must(err)
		if time, marked := strings.CutPrefix(object.(*v1.Pod).Annotations[sent], "L"); marked {
			latencies = append(latencies, now()-parse(time))
			if len(latencies) == events {
				slices.Sort(latencies)
				fmt.Println("latency", latencies[events/2], latencies[events*99/100])
			}
		}
		queue.Forget(key)
		queue.Done(key)
		if passes.Add(1) == pods {
			fmt.Println("reconciling")
		}
	}
}

// Microseconds of the clock that all processes share.
func now() int64 { return time.Now().UnixMicro() }

func parse(text string) int64 {
	number, err := strconv.ParseInt(text, 10, 64)
	must(err)
	return number
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
